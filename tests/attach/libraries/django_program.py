"""What programs around libraries of Django share."""

import json
import os
import sys

import django
from django.conf import settings


def say(line):
    print(json.dumps(line), flush=True)


def run(program, **given):
    """Sets Django up over the database of the environment, and runs the function of the program that the command line names."""
    settings.configure(
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
        **given,
    )
    django.setup()
    getattr(program, sys.argv[1])()
