import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import type { MembershipStatus } from './audience.ts'

/** Rules joined by an operator; `not` means that none of them matches. A group without rules matches every contact. */
export interface RuleGroup {
  op: 'and' | 'or' | 'not'
  rules: (RuleGroup | Rule)[]
}

export interface Rule {
  field: string
  operator?: string
  value?: unknown
  /** For field `list`: the membership status; subscribed when left out. */
  status?: MembershipStatus
}

export const segments = sqliteTable('segments', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  name: text().notNull(),
  name_key: text().notNull(),
  rules: text({ mode: 'json' }).$type<RuleGroup>().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})
