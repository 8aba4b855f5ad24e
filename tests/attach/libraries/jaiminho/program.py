"""jaiminho itself: its migrations, its decorator and its relayer, around a function that fails for some orders."""

import json
import os
import sys

import django
from django.conf import settings
from jaiminho.send import save_to_outbox


def say(line):
    print(json.dumps(line), flush=True)


@save_to_outbox
def notify(order):
    if order["refused"]:
        raise ConnectionError("the other side was gone")


def configure():
    settings.configure(
        INSTALLED_APPS=["django.contrib.contenttypes", "jaiminho"],
        SECRET_KEY="of this test",
        USE_TZ=True,
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.postgresql",
                "NAME": os.environ["PGDATABASE"],
                "USER": os.environ["PGUSER"],
                "PASSWORD": os.environ["PGPASSWORD"],
                "HOST": os.environ["PGHOST"],
                "PORT": os.environ["PGPORT"],
            }
        },
        JAIMINHO_CONFIG={"PERSIST_ALL_EVENTS": True, "DEFAULT_CAPTURE_EXCEPTION": None},
    )
    django.setup()


def fill():
    from django.core.management import call_command
    from jaiminho.models import Event
    from jaiminho.relayer import EventRelayer

    call_command("migrate", verbosity=0)
    for refused in (False, True):
        try:
            notify({"refused": refused})
        except ConnectionError:
            pass
    EventRelayer().relay()
    for event in Event.objects.all():
        say({"id": f"out:{event.id}", "view": "outgoing", "state": "waiting" if event.sent_at is None else "sent"})


if __name__ == "__main__":
    # By a name that can be imported: the library keeps the function as its module and name.
    import program

    program.configure()
    program.fill()
