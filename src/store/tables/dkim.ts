import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

export const DKIM_ALGORITHMS = ['rsa-sha256', 'ed25519-sha256'] as const
export type DkimAlgorithm = (typeof DKIM_ALGORITHMS)[number]

export const dkim_keys = sqliteTable('dkim_keys', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  /** In ASCII and lower case, as it stands in the DNS. */
  domain: text().notNull(),
  selector: text().notNull(),
  algorithm: text({ enum: DKIM_ALGORITHMS }).notNull(),
  /** PKCS #8 in Base64, sealed; gone with `disabled_at`. */
  private_key_sealed: text(),
  /** As it stands in the DNS record. */
  public_key: text().notNull(),
  created_at: integer().notNull(),
  /** When its record was last seen in the DNS; null when it was not there. */
  verified_at: integer(),
  /** A key that was deleted keeps its selector, which no other key may get while old mail can still be read. */
  disabled_at: integer(),
})
