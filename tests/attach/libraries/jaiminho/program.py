"""jaiminho itself: its migrations, its decorator and its relayer, around a function that fails for some orders."""

from django_program import run, say
from jaiminho.send import save_to_outbox


@save_to_outbox
def notify(order):
    if order["refused"]:
        raise ConnectionError("the other side was gone")


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

    run(
        program,
        INSTALLED_APPS=["django.contrib.contenttypes", "jaiminho"],
        SECRET_KEY="of this test",
        JAIMINHO_CONFIG={"PERSIST_ALL_EVENTS": True, "DEFAULT_CAPTURE_EXCEPTION": None},
    )
