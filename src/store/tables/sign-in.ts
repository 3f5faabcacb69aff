import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Browsers that a user has signed in with. */
export const devices = sqliteTable('devices', {
  id: text().primaryKey(),
  user_id: text().notNull(),
  token_hash: text().notNull(),
  created_at: integer().notNull(),
  last_used_at: integer().notNull(),
  user_agent: text().notNull().default(''),
  address: text().notNull().default(''),
})

/** WebAuthn credentials with which a user signs in. */
export const passkeys = sqliteTable('passkeys', {
  id: text().primaryKey(),
  user_id: text().notNull(),
  /** In base64url, like the key. */
  credential_id: text().notNull(),
  public_key: text().notNull(),
  counter: integer().notNull(),
  transports: text({ mode: 'json' }).$type<string[]>().notNull(),
  name: text().notNull(),
  created_at: integer().notNull(),
  last_used_at: integer(),
})

export const totp_factors = sqliteTable('totp_factors', {
  user_id: text().primaryKey(),
  secret_sealed: text().notNull(),
  /** The time step of the last accepted code. */
  last_step: integer().notNull(),
  created_at: integer().notNull(),
})

export const recovery_codes = sqliteTable(
  'recovery_codes',
  { user_id: text().notNull(), code_hash: text().notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.code_hash] })],
)

export const sign_in_failures = sqliteTable('sign_in_failures', {
  bucket: text().primaryKey(),
  failures: integer().notNull(),
  last_at: integer().notNull(),
  paused_until: integer().notNull(),
})

export const used_challenges = sqliteTable('used_challenges', {
  challenge_hash: text().primaryKey(),
  expires_at: integer().notNull(),
})
