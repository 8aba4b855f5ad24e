"""DBOS itself: its migrations, its workflows, its queues and its recovery, around workflows of which some fail and some end their process."""

import json
import os
import subprocess
import sys
import threading

from dbos import DBOS, DBOSClient, SetWorkflowID

FILLING = sys.argv[1] != "work"
QUEUE = "nobodys"
HOUR = 3600


def say(line):
    # In one piece: workflows run in threads.
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def ran():
    if not FILLING:
        say({"ran": f"run:{DBOS.workflow_id}"})


@DBOS.workflow()
def works(order):
    ran()
    return order


@DBOS.workflow()
def fails(order):
    ran()
    raise ConnectionError("the other side was gone")


@DBOS.workflow()
def hangs(order):
    ran()
    if FILLING:
        started.set()
        threading.Event().wait()


@DBOS.workflow(max_recovery_attempts=1)
def crashes(order):
    ran()
    if FILLING:
        os._exit(0)


started = threading.Event()


def launch():
    DBOS(
        config={
            "name": "attach",
            "system_database_url": os.environ["DATABASE_URL"],
            "application_version": "1",
            "console_log_level": "CRITICAL",
        }
    )
    DBOS.launch()


def start(workflow, key):
    with SetWorkflowID(key):
        return DBOS.start_workflow(workflow, key)


def fill():
    launch()
    start(works, "done").get_result()
    try:
        start(fails, "failed").get_result()
    except ConnectionError:
        pass
    DBOS.destroy()
    client = DBOSClient(system_database_url=os.environ["DATABASE_URL"])
    # Each process takes up what the one before left, and ends of it.
    while all(each.status != "MAX_RECOVERY_ATTEMPTS_EXCEEDED" for each in client.list_workflows(name="crashes")):
        subprocess.run([sys.executable, __file__, "crash"], check=True)
    waiting = {"queue_name": QUEUE, "workflow_name": "works"}
    client.enqueue({**waiting, "workflow_id": "waiting"}, "waiting")
    client.enqueue({**waiting, "workflow_id": "delayed", "delay_seconds": HOUR}, "delayed")
    client.enqueue({**waiting, "workflow_id": "cancelled"}, "cancelled")
    client.cancel_workflow("cancelled")
    launch()
    start(hangs, "hangs")
    started.wait()
    states = {"done": "done", "failed": "failed", "cancelled": "failed", "crashes": "failed"}
    for workflow in client.list_workflows():
        key = workflow.workflow_id
        say({"id": f"run:{key}", "view": "keys", "state": states.get(key, "in_progress")})
    say({"id": "run:crashes", "view": "dead", "state": "dead"})
    os._exit(0)


def crash():
    launch()
    client = DBOSClient(system_database_url=os.environ["DATABASE_URL"])
    if not client.list_workflows(name="crashes"):
        start(crashes, "crashes")
    # Its recovery ends the process, or gives it up.
    while client.list_workflows(name="crashes", status=["PENDING", "ENQUEUED"]):
        threading.Event().wait(0.2)
    os._exit(0)


def work():
    launch()
    client = DBOSClient(system_database_url=os.environ["DATABASE_URL"])
    for workflow in client.list_workflows(status=["PENDING", "ENQUEUED"]):
        if workflow.queue_name != QUEUE:
            DBOS.retrieve_workflow(workflow.workflow_id).get_result()
    os._exit(0)


if __name__ == "__main__":
    {"fill": fill, "crash": crash, "work": work}[sys.argv[1]]()
