"""Runs migrations on the database of the settings, or on a connection handed over in `config.attributes`."""

import asyncio
import re

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from alembic import context
from core.adapters.postgres.tables import metadata
from core.settings import Settings

PARTITION = re.compile(r".*_p\d+$")


def include_name(name: str | None, type_: str, _parents: object) -> bool:
    """Partitions belong to their parents: they are no drift of their own."""
    return not (type_ == "table" and name and PARTITION.match(name))


def migrate(connection: Connection) -> None:
    """Run the migrations on an open connection, each in its own transaction."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        include_name=include_name,
        transaction_per_migration=True,
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


async def migrate_by_settings() -> None:
    """Open the database of the settings."""
    url = context.config.get_main_option("sqlalchemy.url") or Settings().database.url.get_secret_value()
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        await connection.run_sync(migrate)
        await connection.commit()
    await engine.dispose()


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    asyncio.run(migrate_by_settings())
