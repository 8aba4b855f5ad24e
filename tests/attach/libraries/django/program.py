"""django-outbox-pattern itself: its migrations, its publisher and its consumer. Only the broker is a stand-in, by its own setting."""

import sys
from datetime import timedelta

from django_program import run, say
from stomp.exception import StompException

REFUSED = "/exchange/refused"


class Broker:
    """A connection that takes every message but those to one destination, and says so."""

    def __init__(self, **_kwargs):
        self.open = False

    def connect(self, **_kwargs):
        self.open = True

    def is_connected(self):
        return self.open

    def disconnect(self):
        self.open = False

    def set_listener(self, _name, _listener):
        pass

    def send(self, body, destination, headers):
        if destination == REFUSED and sys.argv[1] == "fill":
            raise StompException("refused")
        say({"ran": f"out:{headers['dop-msg-id']}"})

    def ack(self, _id):
        pass

    def nack(self, _id, requeue):
        pass


def fill():
    from django.core.management import call_command
    from django.utils import timezone
    from django_outbox_pattern.factories import factory_consumer, factory_producer
    from django_outbox_pattern.models import Published, Received

    call_command("migrate", verbosity=0)
    sent = Published.objects.create(destination="/exchange/orders", body={"order": 1})
    dead = Published.objects.create(destination=REFUSED, body={"order": 2})
    factory_producer().publish_message_from_database()
    waiting = Published.objects.create(destination="/exchange/orders", body={"order": 3})
    expired = Published.objects.create(
        destination="/exchange/orders", body={"order": 4}, expires_at=timezone.now() - timedelta(hours=1)
    )
    consumer = factory_consumer()
    consumer.callback = lambda payload: payload.save()
    consumer.message_handler('{"order": 1}', {"dop-msg-id": "1", "message-id": "1", "destination": "/queue/orders"})
    consumer.message_handler('{"order": 1}', {"dop-msg-id": "1", "message-id": "2", "destination": "/queue/orders"})
    for message, state in ((sent, "sent"), (dead, "dead"), (waiting, "waiting"), (expired, "expired")):
        say({"id": f"out:{message.id}", "view": "outgoing", "state": state})
    say({"id": f"out:{dead.id}", "view": "dead", "state": "dead"})
    for message in Received.objects.all():
        say({"id": f"in:{message.id}", "view": "incoming", "state": "done"})


def work():
    from django_outbox_pattern.factories import factory_producer

    factory_producer().publish_message_from_database()


if __name__ == "__main__":
    # By the name that the setting gives it: of a script Python would make a second module.
    import program

    run(
        program,
        INSTALLED_APPS=["django_outbox_pattern"],
        DJANGO_OUTBOX_PATTERN={
            "DEFAULT_CONNECTION_CLASS": "program.Broker",
            "DEFAULT_MAXIMUM_RETRY_ATTEMPTS": 2,
            "DEFAULT_PAUSE_FOR_RETRY": 0,
            "DEFAULT_WAIT_RETRY": 0,
            "DEFAULT_PRODUCER_WAITING_TIME": 0,
        },
    )
