"""The pages on which staff change what mails and the portal say."""
