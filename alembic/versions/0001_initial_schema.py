"""The schema as first decided: persons to outbox; chunks, postings and vectors in hash partitions by notebook."""

import pgvector.sqlalchemy
import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0001'
down_revision = None
branch_labels = None
depends_on = None

PARTITIONED = ("chunks", "postings", "vectors")
PARTITIONS = 16


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("CREATE EXTENSION IF NOT EXISTS vector")
    op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    op.create_table('chats',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('bot_id', sa.BigInteger(), nullable=False),
    sa.Column('external_id', sa.BigInteger(), nullable=False),
    sa.Column('kind', sa.Text(), nullable=False),
    sa.Column('title', sa.Text(), server_default='', nullable=False),
    sa.Column('reachable', sa.Boolean(), server_default=sa.text('true'), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_chats')),
    sa.UniqueConstraint('bot_id', 'external_id', name=op.f('uq_chats_bot_id_external_id'))
    )
    op.create_table('chunks',
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('source_id', sa.BigInteger(), nullable=False),
    sa.Column('version', sa.Integer(), nullable=False),
    sa.Column('ordinal', sa.Integer(), nullable=False),
    sa.Column('start', sa.Integer(), nullable=False),
    sa.Column('end', sa.Integer(), nullable=False),
    sa.Column('page', sa.Integer(), nullable=True),
    sa.Column('time_s', sa.Float(), nullable=True),
    sa.Column('headings', sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('language', sa.Text(), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('notebook_id', 'id', name=op.f('pk_chunks')),
    postgresql_partition_by='HASH (notebook_id)'
    )
    op.create_index('ix_chunks_notebook_id_source_id_ordinal', 'chunks', ['notebook_id', 'source_id', 'ordinal'], unique=False)
    op.create_table('embedding_models',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('name', sa.Text(), nullable=False),
    sa.Column('dimensions', sa.Integer(), nullable=False),
    sa.Column('calibration', postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_embedding_models')),
    sa.UniqueConstraint('name', name=op.f('uq_embedding_models_name'))
    )
    op.create_table('persons',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('bot_id', sa.BigInteger(), nullable=False),
    sa.Column('external_id', sa.BigInteger(), nullable=False),
    sa.Column('name', sa.Text(), server_default='', nullable=False),
    sa.Column('locale', sa.Text(), server_default='', nullable=False),
    sa.Column('locale_chosen', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('plan', sa.Text(), server_default='free', nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_persons')),
    sa.UniqueConstraint('bot_id', 'external_id', name=op.f('uq_persons_bot_id_external_id'))
    )
    op.create_table('postings',
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('lexeme', sa.Text(collation='C'), nullable=False),
    sa.Column('chunk_id', sa.BigInteger(), nullable=False),
    sa.Column('source_id', sa.BigInteger(), nullable=False),
    sa.Column('tf', sa.SmallInteger(), nullable=False),
    sa.Column('length', sa.Integer(), nullable=False),
    postgresql_partition_by='HASH (notebook_id)'
    )
    op.create_index('ix_postings_notebook_id_source_id', 'postings', ['notebook_id', 'source_id'], unique=False)
    op.create_table('processed_updates',
    sa.Column('bot_id', sa.BigInteger(), nullable=False),
    sa.Column('update_id', sa.BigInteger(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.PrimaryKeyConstraint('bot_id', 'update_id', name=op.f('pk_processed_updates'))
    )
    op.create_index(op.f('ix_processed_updates_at'), 'processed_updates', ['at'], unique=False)
    op.create_table('vectors',
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('model_id', sa.BigInteger(), nullable=False),
    sa.Column('chunk_id', sa.BigInteger(), nullable=False),
    sa.Column('source_id', sa.BigInteger(), nullable=False),
    sa.Column('language', sa.Text(collation='C'), nullable=False),
    sa.Column('embedding', pgvector.sqlalchemy.halfvec.HALFVEC(), nullable=False),
    sa.PrimaryKeyConstraint('notebook_id', 'model_id', 'chunk_id', name=op.f('pk_vectors')),
    postgresql_partition_by='HASH (notebook_id)'
    )
    op.create_index('ix_vectors_notebook_id_source_id', 'vectors', ['notebook_id', 'source_id'], unique=False)
    op.create_table('notebooks',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('owner_id', sa.BigInteger(), nullable=True),
    sa.Column('title', sa.Text(), nullable=False),
    sa.Column('language', sa.Text(), nullable=False),
    sa.Column('local_only', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('archived', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.ForeignKeyConstraint(['owner_id'], ['persons.id'], name=op.f('fk_notebooks_owner_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_notebooks'))
    )
    op.create_index(op.f('ix_notebooks_owner_id'), 'notebooks', ['owner_id'], unique=False)
    op.create_table('outbox',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('key', sa.Text(), nullable=False),
    sa.Column('chat_id', sa.BigInteger(), nullable=False),
    sa.Column('payload', sa.Text(), nullable=False),
    sa.Column('priority', sa.SmallInteger(), server_default='5', nullable=False),
    sa.Column('revision', sa.Integer(), server_default='1', nullable=False),
    sa.Column('shown_revision', sa.Integer(), server_default='0', nullable=False),
    sa.Column('message_ref', sa.Text(), server_default='', nullable=False),
    sa.Column('dropped', sa.Text(), server_default='', nullable=False),
    sa.Column('lease_owner', sa.Text(), server_default='', nullable=False),
    sa.Column('lease_until', sa.DateTime(timezone=True), nullable=True),
    sa.Column('retry_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('tries', sa.Integer(), server_default='0', nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.ForeignKeyConstraint(['chat_id'], ['chats.id'], name=op.f('fk_outbox_chat_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_outbox')),
    sa.UniqueConstraint('key', name=op.f('uq_outbox_key'))
    )
    op.create_index('ix_outbox_due', 'outbox', ['chat_id', 'id'], unique=False, postgresql_where=sa.text("shown_revision < revision and dropped = ''"))
    op.create_table('prompt_ledger',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('person_id', sa.BigInteger(), nullable=False),
    sa.Column('kind', sa.Text(), nullable=False),
    sa.Column('price', sa.Integer(), nullable=False),
    sa.Column('reference', sa.Text(), nullable=False),
    sa.Column('state', sa.Text(), server_default='reserved', nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['person_id'], ['persons.id'], name=op.f('fk_prompt_ledger_person_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_prompt_ledger')),
    sa.UniqueConstraint('reference', name=op.f('uq_prompt_ledger_reference'))
    )
    op.create_index('ix_prompt_ledger_person_id_at', 'prompt_ledger', ['person_id', 'at'], unique=False)
    op.create_table('vector_cache',
    sa.Column('model_id', sa.BigInteger(), nullable=False),
    sa.Column('text_hash', sa.LargeBinary(), nullable=False),
    sa.Column('embedding', pgvector.sqlalchemy.halfvec.HALFVEC(), nullable=False),
    sa.ForeignKeyConstraint(['model_id'], ['embedding_models.id'], name=op.f('fk_vector_cache_model_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('model_id', 'text_hash', name=op.f('pk_vector_cache'))
    )
    op.create_table('bursts',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('chat_id', sa.BigInteger(), nullable=False),
    sa.Column('reply_to', sa.Text(), nullable=False),
    sa.Column('last_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('begun_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('note', sa.Text(), server_default='', nullable=False),
    sa.Column('known', postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False),
    sa.Column('refused', postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False),
    sa.Column('links', postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False),
    sa.Column('removed', sa.Integer(), server_default='0', nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.ForeignKeyConstraint(['chat_id'], ['chats.id'], name=op.f('fk_bursts_chat_id'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['notebook_id'], ['notebooks.id'], name=op.f('fk_bursts_notebook_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_bursts'))
    )
    op.create_index('ix_bursts_chat_id_last_at', 'bursts', ['chat_id', 'last_at'], unique=False)
    op.create_index(op.f('ix_bursts_notebook_id'), 'bursts', ['notebook_id'], unique=False)
    op.create_table('chat_notebooks',
    sa.Column('chat_id', sa.BigInteger(), nullable=False),
    sa.Column('thread_id', sa.BigInteger(), nullable=False),
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('conversation_after', sa.BigInteger(), server_default='0', nullable=False),
    sa.ForeignKeyConstraint(['chat_id'], ['chats.id'], name=op.f('fk_chat_notebooks_chat_id'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['notebook_id'], ['notebooks.id'], name=op.f('fk_chat_notebooks_notebook_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('chat_id', 'thread_id', name=op.f('pk_chat_notebooks'))
    )
    op.create_index(op.f('ix_chat_notebooks_notebook_id'), 'chat_notebooks', ['notebook_id'], unique=False)
    op.create_table('notebook_members',
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('person_id', sa.BigInteger(), nullable=False),
    sa.Column('role', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['notebook_id'], ['notebooks.id'], name=op.f('fk_notebook_members_notebook_id'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['person_id'], ['persons.id'], name=op.f('fk_notebook_members_person_id')),
    sa.PrimaryKeyConstraint('notebook_id', 'person_id', name=op.f('pk_notebook_members'))
    )
    op.create_index(op.f('ix_notebook_members_person_id'), 'notebook_members', ['person_id'], unique=False)
    op.create_table('questions',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('person_id', sa.BigInteger(), nullable=True),
    sa.Column('chat_id', sa.BigInteger(), nullable=False),
    sa.Column('thread_id', sa.BigInteger(), server_default='0', nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.Column('locale', sa.Text(), nullable=False),
    sa.Column('state', sa.Text(), server_default='queued', nullable=False),
    sa.Column('reply_to', sa.Text(), nullable=False),
    sa.Column('with_model', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('cancel_requested', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('waits_for', sa.BigInteger(), nullable=True),
    sa.Column('waits_until', sa.DateTime(timezone=True), nullable=True),
    sa.Column('lease_owner', sa.Text(), server_default='', nullable=False),
    sa.Column('lease_until', sa.DateTime(timezone=True), nullable=True),
    sa.Column('retry_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('tries', sa.Integer(), server_default='0', nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.ForeignKeyConstraint(['chat_id'], ['chats.id'], name=op.f('fk_questions_chat_id'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['notebook_id'], ['notebooks.id'], name=op.f('fk_questions_notebook_id'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['person_id'], ['persons.id'], name=op.f('fk_questions_person_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_questions'))
    )
    op.create_index(op.f('ix_questions_notebook_id'), 'questions', ['notebook_id'], unique=False)
    op.create_index('ix_questions_conversation', 'questions', ['chat_id', 'thread_id', 'notebook_id', 'id'], unique=False)
    op.create_index('ix_questions_unfinished', 'questions', ['state', 'id'], unique=False, postgresql_where=sa.text("state in ('queued', 'running')"))
    op.create_table('answers',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('question_id', sa.BigInteger(), nullable=False),
    sa.Column('answered', sa.Boolean(), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.Column('unsupported', sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('searched', sa.Integer(), nullable=False),
    sa.Column('used', sa.Integer(), nullable=False),
    sa.Column('model', sa.Text(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.ForeignKeyConstraint(['notebook_id'], ['notebooks.id'], name=op.f('fk_answers_notebook_id'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['question_id'], ['questions.id'], name=op.f('fk_answers_question_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_answers')),
    sa.UniqueConstraint('question_id', name=op.f('uq_answers_question_id'))
    )
    op.create_index(op.f('ix_answers_notebook_id'), 'answers', ['notebook_id'], unique=False)
    op.create_table('sources',
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('version', sa.Integer(), server_default='1', nullable=False),
    sa.Column('kind', sa.Text(), nullable=False),
    sa.Column('title', sa.Text(), server_default='', nullable=False),
    sa.Column('state', sa.Text(), server_default='queued', nullable=False),
    sa.Column('stage', sa.Text(), server_default='fetch', nullable=False),
    sa.Column('upload', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('origin', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('about', postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('external_id', sa.Text(), server_default='', nullable=False),
    sa.Column('original_key', sa.Text(), server_default='', nullable=False),
    sa.Column('content_hash', sa.Text(), server_default='', nullable=False),
    sa.Column('unique_file', sa.Text(), server_default='', nullable=False),
    sa.Column('canonical_url', sa.Text(), server_default='', nullable=False),
    sa.Column('language', sa.Text(), server_default='', nullable=False),
    sa.Column('extractor', sa.Text(), server_default='', nullable=False),
    sa.Column('attempts', postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False),
    sa.Column('reason', postgresql.JSONB(astext_type=sa.Text()), nullable=True),
    sa.Column('progress_done', sa.Integer(), server_default='0', nullable=False),
    sa.Column('progress_total', sa.Integer(), server_default='0', nullable=False),
    sa.Column('pages', sa.Integer(), server_default='0', nullable=False),
    sa.Column('missing_pages', sa.ARRAY(sa.Integer()), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('characters', sa.Integer(), server_default='0', nullable=False),
    sa.Column('chunk_count', sa.Integer(), server_default='0', nullable=False),
    sa.Column('term_count', sa.BigInteger(), server_default='0', nullable=False),
    sa.Column('muted', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('burst_id', sa.BigInteger(), nullable=True),
    sa.Column('added_by', sa.BigInteger(), nullable=True),
    sa.Column('lease_owner', sa.Text(), server_default='', nullable=False),
    sa.Column('lease_until', sa.DateTime(timezone=True), nullable=True),
    sa.Column('retry_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('tries', sa.Integer(), server_default='0', nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.ForeignKeyConstraint(['added_by'], ['persons.id'], name=op.f('fk_sources_added_by')),
    sa.ForeignKeyConstraint(['burst_id'], ['bursts.id'], name=op.f('fk_sources_burst_id'), ondelete='SET NULL'),
    sa.ForeignKeyConstraint(['notebook_id'], ['notebooks.id'], name=op.f('fk_sources_notebook_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('notebook_id', 'id', name=op.f('pk_sources'))
    )
    op.create_index(op.f('ix_sources_burst_id'), 'sources', ['burst_id'], unique=False)
    op.create_index('ix_sources_content_hash', 'sources', ['notebook_id', 'content_hash'], unique=False)
    op.create_index('ix_sources_unfinished', 'sources', ['stage', 'retry_at'], unique=False, postgresql_where=sa.text("stage <> 'done'"))
    op.create_table('citations',
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('answer_id', sa.BigInteger(), nullable=False),
    sa.Column('n', sa.Integer(), nullable=False),
    sa.Column('source_id', sa.BigInteger(), nullable=False),
    sa.Column('version', sa.Integer(), nullable=False),
    sa.Column('external_id', sa.Text(), server_default='', nullable=False),
    sa.Column('title', sa.Text(), nullable=False),
    sa.Column('quote', sa.Text(), nullable=False),
    sa.Column('start', sa.Integer(), nullable=False),
    sa.Column('end', sa.Integer(), nullable=False),
    sa.Column('page', sa.Integer(), nullable=True),
    sa.Column('time_s', sa.Float(), nullable=True),
    sa.Column('headings', sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('verdict', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['answer_id'], ['answers.id'], name=op.f('fk_citations_answer_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('notebook_id', 'answer_id', 'n', name=op.f('pk_citations'))
    )
    op.create_index(op.f('ix_citations_answer_id'), 'citations', ['answer_id'], unique=False)
    op.create_table('insights',
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('source_id', sa.BigInteger(), nullable=False),
    sa.Column('kind', sa.Text(), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.Column('language', sa.Text(), nullable=False),
    sa.Column('words', postgresql.TSVECTOR(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.ForeignKeyConstraint(['notebook_id', 'source_id'], ['sources.notebook_id', 'sources.id'], name=op.f('fk_insights_notebook_id_source_id'), onupdate='CASCADE', ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('notebook_id', 'source_id', 'kind', name=op.f('pk_insights'))
    )
    op.create_table('source_texts',
    sa.Column('notebook_id', sa.BigInteger(), nullable=False),
    sa.Column('source_id', sa.BigInteger(), nullable=False),
    sa.Column('version', sa.Integer(), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.Column('pages', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('times', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('raw_offsets', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.ForeignKeyConstraint(['notebook_id', 'source_id'], ['sources.notebook_id', 'sources.id'], name=op.f('fk_source_texts_notebook_id_source_id'), onupdate='CASCADE', ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('notebook_id', 'source_id', 'version', name=op.f('pk_source_texts'))
    )
    op.create_table('expected_inputs',
    sa.Column('chat_id', sa.BigInteger(), nullable=False),
    sa.Column('person_id', sa.BigInteger(), nullable=False),
    sa.Column('kind', sa.Text(), nullable=False),
    sa.Column('reference', sa.BigInteger(), nullable=False),
    sa.Column('until', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['chat_id'], ['chats.id'], name=op.f('fk_expected_inputs_chat_id'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['person_id'], ['persons.id'], name=op.f('fk_expected_inputs_person_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('chat_id', 'person_id', name=op.f('pk_expected_inputs'))
    )
    op.execute(
        "ALTER TABLE postings ADD CONSTRAINT pk_postings PRIMARY KEY (notebook_id, lexeme, chunk_id) "
        "INCLUDE (source_id, tf, length)"
    )
    for table in PARTITIONED:
        for part in range(PARTITIONS):
            op.execute(
                f"CREATE TABLE {table}_p{part} PARTITION OF {table} "
                f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {part})"
            )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table('expected_inputs')
    op.drop_table('source_texts')
    op.drop_table('insights')
    op.drop_index(op.f('ix_citations_answer_id'), table_name='citations')
    op.drop_table('citations')
    op.drop_index('ix_sources_unfinished', table_name='sources', postgresql_where=sa.text("stage <> 'done'"))
    op.drop_index('ix_sources_content_hash', table_name='sources')
    op.drop_index(op.f('ix_sources_burst_id'), table_name='sources')
    op.drop_table('sources')
    op.drop_index(op.f('ix_answers_notebook_id'), table_name='answers')
    op.drop_table('answers')
    op.drop_index('ix_questions_unfinished', table_name='questions', postgresql_where=sa.text("state in ('queued', 'running')"))
    op.drop_index('ix_questions_conversation', table_name='questions')
    op.drop_index(op.f('ix_questions_notebook_id'), table_name='questions')
    op.drop_table('questions')
    op.drop_index(op.f('ix_notebook_members_person_id'), table_name='notebook_members')
    op.drop_table('notebook_members')
    op.drop_index(op.f('ix_chat_notebooks_notebook_id'), table_name='chat_notebooks')
    op.drop_table('chat_notebooks')
    op.drop_index(op.f('ix_bursts_notebook_id'), table_name='bursts')
    op.drop_index('ix_bursts_chat_id_last_at', table_name='bursts')
    op.drop_table('bursts')
    op.drop_table('vector_cache')
    op.drop_index('ix_prompt_ledger_person_id_at', table_name='prompt_ledger')
    op.drop_table('prompt_ledger')
    op.drop_index('ix_outbox_due', table_name='outbox', postgresql_where=sa.text("shown_revision < revision and dropped = ''"))
    op.drop_table('outbox')
    op.drop_index(op.f('ix_notebooks_owner_id'), table_name='notebooks')
    op.drop_table('notebooks')
    op.drop_index('ix_vectors_notebook_id_source_id', table_name='vectors')
    op.drop_table('vectors')
    op.drop_index(op.f('ix_processed_updates_at'), table_name='processed_updates')
    op.drop_table('processed_updates')
    op.drop_index('ix_postings_notebook_id_source_id', table_name='postings')
    op.drop_table('postings')
    op.drop_table('persons')
    op.drop_table('embedding_models')
    op.drop_index('ix_chunks_notebook_id_source_id_ordinal', table_name='chunks')
    op.drop_table('chunks')
    op.drop_table('chats')
