"""The table in the browser: the server behind ``gunzi serve``, its protocol, and a client for programs.

* ``gunzi.apps.web.client``: play at a table of a running server from Python (asyncio).
* ``gunzi.apps.web.protocol``: the version, the kinds of requests and of answers, the texts of the errors.
* ``gunzi.apps.web.serving``: ``run(configuration)`` serves until it is told to stop.

The server and the client need the extra ``gunzi[web]``.
"""

from __future__ import annotations
