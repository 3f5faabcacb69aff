import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

export const DKIM_ALGORITHMS = ['rsa-sha256', 'ed25519-sha256'] as const
export type DkimAlgorithm = (typeof DKIM_ALGORITHMS)[number]

export const dkim_keys = sqliteTable('dkim_keys', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  /** ASCII, lower case, as in the DNS. */
  domain: text().notNull(),
  selector: text().notNull(),
  algorithm: text({ enum: DKIM_ALGORITHMS }).notNull(),
  /** PKCS #8 in Base64; null once the key is deleted. */
  private_key_sealed: text(),
  /** The public key, in Base64 as in the DNS record. */
  public_key: text().notNull(),
  created_at: integer().notNull(),
  /** When the DNS record was last seen; null when the last check did not find it. */
  verified_at: integer(),
  /** When the key was deleted. The row stays, so that no other key gets its selector while old messages use it. */
  disabled_at: integer(),
})
