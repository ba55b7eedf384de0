"""The project package: settings, addresses, page shell and what composes the apps."""
