import { createClient, type InValue } from '@libsql/client'
import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import {
  contacts,
  contact_tags,
  type GlobalStatus,
  lists,
  memberships,
  type MembershipStatus,
  type SuppressionReason,
  suppressions,
  tags,
} from '../../../src/store/tables/audience.ts'
import { START, type World } from '../../support/world.ts'
import type { ProjectId } from '../../../src/ids.ts'

/** A contact of the audience, in a short notation. */
export interface Person {
  email: string
  status?: GlobalStatus
  first_name?: string
  custom_fields?: Record<string, string | number | boolean>
  lists?: Record<number, MembershipStatus>
  tags?: number[]
  suppressed?: SuppressionReason
}

const at = { created_at: START, updated_at: START }
const project = (world: World, project_id?: ProjectId) => project_id ?? world.project.id

export async function addList(world: World, name: string, project_id?: ProjectId): Promise<number> {
  return world.service.runtime.store.write(
    async (tx) =>
      (
        await tx
          .insert(lists)
          .values({ project_id: project(world, project_id), name, name_key: name, ...at })
          .returning()
      )[0]!.id,
  )
}

export async function addTag(world: World, name: string, project_id?: ProjectId): Promise<number> {
  return world.service.runtime.store.write(
    async (tx) =>
      (
        await tx
          .insert(tags)
          .values({ project_id: project(world, project_id), name, name_key: name, ...at })
          .returning()
      )[0]!.id,
  )
}

/** Puts people into a project; answers their ids. */
export async function addPeople(world: World, people: readonly Person[], project_id?: ProjectId): Promise<number[]> {
  const owner = project(world, project_id)
  return world.service.runtime.store.write(async (tx) => {
    const ids: number[] = []
    for (const { email, status = 'subscribed', lists: joined = {}, tags: tagged = [], suppressed, ...rest } of people) {
      const [row] = await tx
        .insert(contacts)
        .values({
          project_id: owner,
          email,
          email_key: email.toLowerCase(),
          search_key: email,
          global_status: status,
          ...rest,
          ...at,
        })
        .returning({ id: contacts.id })
      const contact_id = row!.id
      ids.push(contact_id)
      for (const [list_id, membership] of Object.entries(joined))
        await tx.insert(memberships).values({ contact_id, list_id: Number(list_id), status: membership })
      for (const tag_id of tagged) await tx.insert(contact_tags).values({ contact_id, tag_id })
      if (suppressed)
        await tx
          .insert(suppressions)
          .values({ project_id: owner, email, email_key: email.toLowerCase(), reason: suppressed, created_at: START })
    }
    return ids
  })
}

/** A document with one text block. */
export const SAMPLE_DOCUMENT = {
  version: 1,
  settings: {},
  blocks: [
    {
      id: 'a',
      type: 'text',
      props: { html: '<p>Dear {{ contact.first_name | default: friend }}, the tide turns at noon.</p>' },
    },
  ],
}

/** Everything a project needs before it can send: a sender, an address, a sandbox connection. */
export async function readyToSend(world: World): Promise<{ connection_id: number }> {
  await world.ok('settings/update', {
    from_name: 'Harbour',
    from_email: 'news@harbour.example',
    postal_address: 'Quay 1, Hamburg',
    company_name: 'Harbour Ltd',
  })
  const { connection } = await world.ok('connections/create', {
    name: `Sandbox ${crypto.randomUUID()}`,
    provider: 'sandbox',
  })
  await world.ok('settings/update', { default_connection_id: connection.id })
  return { connection_id: connection.id }
}

export async function draft(
  world: World,
  more: Record<string, unknown> = {},
  as = world.keys.owner,
): Promise<{ id: number } & Record<string, unknown>> {
  return (
    await world.ok(
      'campaigns/create',
      { subject: 'Tide tables', audience_spec: { include: [{ type: 'all' }] }, editor_json: SAMPLE_DOCUMENT, ...more },
      { as },
    )
  ).campaign
}

const dialect = new SQLiteAsyncDialect()

/** How the database would answer a query, one line a step. */
export async function planOf(world: World, query: SQL): Promise<string[]> {
  const client = createClient({ url: `file:${world.folder}/masthead.db` })
  const { sql: text, params } = dialect.sqlToQuery(sql`EXPLAIN QUERY PLAN ${query}`)
  const { rows } = await client.execute({ sql: text, args: params as InValue[] })
  client.close()
  return rows.map((row) => String(row.detail))
}
