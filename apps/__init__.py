"""What people run: the command line, players, the scenario runner, the pytest plugin."""
