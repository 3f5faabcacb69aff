import { type SQL, sql } from 'drizzle-orm'

/**
 * A condition with what is known of its cost. SQLite stops at the first part of an AND or OR that decides it, so parts
 * are ordered by the work they are expected to save. Wrong estimates cost time, never correctness.
 */
export interface SqlCondition {
  /** May be NULL, which counts as not true. */
  sql: SQL
  /** Average evaluation time in units of one column comparison, as measured. */
  cost: number
  /** Estimated share of contacts that match. */
  share: number
}

export const ALL_CONTACTS: SqlCondition = { sql: sql`1`, cost: 0, share: 1 }
export const NO_CONTACTS: SqlCondition = { sql: sql`0`, cost: 0, share: 0 }

export function allOf(parts: SqlCondition[]): SqlCondition {
  const { left, ...condition } = inOrder(parts, sql` AND `, ({ share }) => share)
  return { ...condition, share: left }
}

export function anyOf(parts: SqlCondition[]): SqlCondition {
  const { left, ...condition } = inOrder(parts, sql` OR `, ({ share }) => 1 - share)
  return { ...condition, share: 1 - left }
}

/** `undecided` is the share of contacts that a part does not decide; `left` that which no part decides. */
function inOrder(parts: readonly SqlCondition[], operator: SQL, undecided: (part: SqlCondition) => number) {
  // The small constant keeps a share of 0 or 1 from dividing by zero.
  const priority = (part: SqlCondition) => part.cost / (1.01 - undecided(part))
  const ordered = parts.toSorted((one, other) => priority(one) - priority(other))
  let [cost, left] = [0, 1]
  for (const part of ordered) [cost, left] = [cost + part.cost * left, left * undecided(part)]
  const conditions = ordered.map((part) => part.sql)
  return { sql: balanced(conditions, operator), cost, left }
}

/** IS NOT TRUE instead of NOT, so that NULL counts as not true before it is negated. */
export function not({ sql: condition, cost, share }: SqlCondition): SqlCondition {
  return { sql: sql`(${condition} IS NOT TRUE)`, cost, share: 1 - share }
}

/** Joins in halves: SQLite limits the depth of an expression, and a chain of n operators is n deep. */
function balanced(parts: SQL[], operator: SQL): SQL {
  if (parts.length === 1) return parts[0]!
  const half = parts.length >> 1
  return sql`(${balanced(parts.slice(0, half), operator)}${operator}${balanced(parts.slice(half), operator)})`
}
