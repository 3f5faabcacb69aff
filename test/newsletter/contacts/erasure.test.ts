import { afterEach, expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { eraseDeleted, forgottenAmong, requestErasure } from '../../../src/newsletter/contacts/erasure.ts'
import { stageImport } from '../../../src/newsletter/imports/states.ts'
import { type FileColumn, type ImportRowError, imports } from '../../../src/store/tables/imports.ts'
import { deliveries } from '../../../src/store/tables/delivery.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'
import { closeWorlds, createWorld, type World } from '../../support/world.ts'

/** Deletion forgets (docs/api/consent.md#deleting). */

afterEach(closeWorlds)

const EMAIL = 'Ada.Lovelace@example.com'
const HOUR = 3_600_000

const upsert = (world: World, list_ids: number[]) =>
  world.ok('contacts/upsert', { email: EMAIL, first_name: 'Adalbertina', consent_text: 'Yes', list_ids })
const cleanup = async (world: World) => {
  await world.service.drain('maintenance')
}

/** Every place of the database that holds one of the texts, compressed or not. */
async function placesOf(world: World, texts: string[]): Promise<string[]> {
  const { db } = world.service.runtime.store
  const tables = await db.all<{ name: string }>(
    sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  )
  const places: string[] = []
  for (const { name } of tables)
    for (const row of await db.all<Record<string, unknown>>(sql`SELECT * FROM ${sql.raw(name)}`))
      for (const [column, value] of Object.entries(row)) {
        const bytes =
          value instanceof Uint8Array || value instanceof ArrayBuffer ? Buffer.from(value as Uint8Array) : null
        const text = bytes
          ? (column.endsWith('_zstd') ? Bun.zstdDecompressSync(bytes) : bytes).toString()
          : String(value)
        if (texts.some((wanted) => text.toLowerCase().includes(wanted.toLowerCase()))) places.push(`${name}.${column}`)
      }
  return [...new Set(places)]
}

test('A deleted address is gone from answers at once, and from every stored row within a day.', async () => {
  const world = await createWorld()
  const { list_id } = await readyToSend(world)
  const { contact } = await upsert(world, [list_id])
  const { import: staged } = await world.ok('imports/create', {
    csv: `email,name\n${EMAIL},Adalbertina\nbo@example,B\n`,
  })
  await world.ok('imports/dry-run', { import_id: staged.id, mapping: { 0: 'email' }, options: { consent_text: 'Yes' } })
  await world.ok('imports/commit', { import_id: staged.id })
  await world.ok('suppressions/add', { email: 'stays@example.com', note: 'somebody else' })
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  await world.ok('suppressions/add', { email: EMAIL, reason: 'hard_bounce', note: `550 <${EMAIL}> unknown` })
  const { store } = world.service.runtime
  await store.write(async (tx) => {
    await tx.run(sql`UPDATE deliveries SET last_error = ${`451 ${EMAIL}`} WHERE contact_id = ${contact.id}`)
    await tx.run(sql`
      INSERT INTO events (project_id, type, campaign_id, contact_id, email, at, detail) VALUES (${world.project.id},
        'bounce', ${campaign.id}, ${contact.id}, ${EMAIL}, 0,
        ${JSON.stringify({ kind: 'hard', response: `550 ${EMAIL}` })})`)
    await tx.run(sql`
      UPDATE imports SET row_errors = ${JSON.stringify([
        { row: 1, field: null, code: 'plan_limit', message: 'The plan allows no more contacts.', value: EMAIL },
      ])}`)
    await tx.run(sql`
      INSERT INTO soft_bounces VALUES (${world.project.id}, ${EMAIL.toLowerCase()}, 1, NULL, ${world.clock.now()})`)
    await tx.run(sql`DELETE FROM sandbox_messages`)
  })
  await world.ok('contacts/delete', { contact_id: contact.id })

  const { items: recipients } = await world.ok('campaigns/recipients', { campaign_id: campaign.id })
  expect(recipients).toMatchObject([{ contact_id: contact.id, email: null, last_error: null, status: 'sent' }])
  const { items: events } = await world.ok('campaigns/events', { campaign_id: campaign.id })
  expect(events.map(({ type, email, detail }: any) => [type, email, detail])).toEqual([
    ['sent', null, undefined],
    ['bounce', null, { kind: 'hard' }],
  ])
  const { import: report } = await world.ok('imports/get', { import_id: staged.id })
  expect(report.row_errors).toMatchObject([{ row: 1, code: 'plan_limit', value: null }])
  expect(JSON.stringify(report)).not.toMatch(/lovelace|adalbertina/i)

  world.clock.advance(24 * HOUR)
  await cleanup(world)
  expect(await placesOf(world, [EMAIL, 'Adalbertina'])).toEqual([])
  expect(await placesOf(world, ['stays@example.com'])).toContain('suppressions.email')
  expect((await world.ok('campaigns/events', { campaign_id: campaign.id })).items).toHaveLength(2)
})

test('A message that is being sent keeps its address until it has an outcome.', async () => {
  const world = await createWorld()
  const { list_id } = await readyToSend(world)
  const { contact } = await upsert(world, [list_id])
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.run(sql`
      INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at)
      VALUES (${world.project.id}, 'campaign', ${contact.id}, ${EMAIL}, 'sending', 0, 0)`),
  )
  await world.ok('contacts/delete', { contact_id: contact.id })
  const addresses = () => store.db.all<{ email: string }>(sql`SELECT email FROM deliveries`)
  await cleanup(world)
  expect(await addresses()).toEqual([{ email: EMAIL }])
  await store.write((tx) => tx.run(sql`UPDATE deliveries SET status = 'sent'`))
  await cleanup(world)
  expect(await addresses()).toEqual([{ email: '' }])
})

test('The suppression of a deleted contact shows no address, and still blocks it.', async () => {
  const world = await createWorld()
  const { list_id } = await readyToSend(world)
  const leave = async () => {
    const { contact } = await world.ok('contacts/get', { email: EMAIL })
    await world.ok('contacts/unsubscribe', { contact_id: contact.id })
    await world.ok('contacts/delete', { contact_id: contact.id })
    const { items } = await world.ok('suppressions/list', { search: EMAIL })
    expect(items).toMatchObject([{ email: null, reason: 'unsubscribe' }])
    expect((await world.ok('suppressions/list', { search: 'lovelace' })).items).toEqual([])
  }
  const isBlocked = async () => {
    const { contact, suppression } = await world.ok('contacts/get', { email: EMAIL })
    expect([contact.global_status, suppression.reason]).toEqual(['unsubscribed', 'unsubscribe'])
  }
  await upsert(world, [list_id])
  await leave()
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'all' }] },
  })
  const test = { campaign_id: campaign.id, emails: [EMAIL] }
  expect((await world.call('campaigns/test-send', test)).body.error.details.skipped).toEqual([
    { email: EMAIL, reason: 'unsubscribe' },
  ])

  const { import: staged } = await world.ok('imports/create', { csv: `email\n${EMAIL}\n` })
  const options = { list_ids: [list_id], consent_text: 'Yes', consent_confirmed: true }
  await world.ok('imports/dry-run', { import_id: staged.id, mapping: { 0: 'email' }, options })
  await world.ok('imports/commit', { import_id: staged.id })
  await world.settle()
  await isBlocked()
  await leave()

  await world.fetch('/general/newsletter/signup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      project_id: world.project.public_id,
      email: EMAIL,
      list_ids: [list_id],
      consent_text: 'Yes',
    }),
  })
  await isBlocked()
  await leave()

  const { contact } = await world.ok('contacts/upsert', { email: 'other@example.com', consent_text: 'Yes' })
  await world.ok('contacts/update', { contact_id: contact.id, email: EMAIL })
  await isBlocked()
  await leave()

  await world.ok('suppressions/remove', { email: EMAIL })
  expect((await world.ok('suppressions/list', { search: EMAIL })).items).toEqual([])
})

test('The addresses that a deleted contact had before are forgotten too, unless somebody else has them.', async () => {
  const world = await createWorld()
  const { list_id } = await readyToSend(world)
  const contact_id = (await upsert(world, [list_id])).contact.id
  await world.ok('contacts/unsubscribe', { contact_id })
  for (const email of ['shared@example.com', 'last@example.com'])
    await world.ok('contacts/update', { contact_id, email })
  await world.ok('contacts/upsert', { email: 'Shared@example.com', consent_text: 'Yes' })
  await world.ok('contacts/delete', { contact_id })
  world.clock.advance(24 * HOUR)
  await cleanup(world)
  expect(await placesOf(world, [EMAIL, 'last@example.com'])).toEqual([])
  expect((await world.ok('suppressions/list', { search: EMAIL })).items).toMatchObject([{ reason: 'unsubscribe' }])
  const { contact, suppression } = await world.ok('contacts/get', { email: 'shared@example.com' })
  expect([contact.global_status, suppression.reason]).toEqual(['unsubscribed', 'unsubscribe'])
})

test('Traces of an address that a deleted contact had before are forgotten too.', async () => {
  const world = await createWorld()
  const contact_id = (await upsert(world, [])).contact.id
  await world.ok('contacts/update', { contact_id, email: 'last@example.com' })
  const { import: staged } = await world.ok('imports/create', { csv: `email,name\n${EMAIL},A\n` })
  await world.service.runtime.store.write(async (tx) => {
    await tx.run(sql`
      INSERT INTO soft_bounces VALUES (${world.project.id}, ${EMAIL.toLowerCase()}, 1, NULL, ${world.clock.now()})`)
    const error = {
      row: 1,
      field: null,
      code: 'plan_limit',
      message: 'The plan allows no more contacts.',
      value: EMAIL,
    }
    await tx.run(sql`UPDATE imports SET row_errors = ${JSON.stringify([error])} WHERE id = ${staged.id}`)
  })
  await world.ok('contacts/delete', { contact_id })
  await cleanup(world)
  expect((await placesOf(world, [EMAIL])).filter((place) => /^(soft_bounces|imports)\./.test(place))).toEqual([])
})

/** Forgets everybody whom other tests deleted. */
async function eraseOthers(): Promise<void> {
  while (await write(eraseDeleted));
}

test('Addresses that are being forgotten are known in whatever case, in their own project only.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const id = await newContact(project, EMAIL)
  await write((tx) => requestErasure(tx, project, [{ id, email: EMAIL }], NOW))
  const { db } = await sharedStore()
  const asked = [EMAIL.toUpperCase(), 'bo@example.com']
  expect(await forgottenAmong(db, project, asked)).toEqual(new Set([EMAIL.toUpperCase()]))
  expect(await forgottenAmong(db, other, asked)).toEqual(new Set())
  await eraseOthers()
  expect(await forgottenAmong(db, project, asked)).toEqual(new Set())
})

test('A hundred contacts are forgotten at once, and whether there are more is answered.', async () => {
  await eraseOthers()
  const project = await newProject()
  const id = await newContact(project, EMAIL)
  const deleted = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: id + n, email: `p${n}@example.com` }))
  await write((tx) => requestErasure(tx, project, deleted(99), NOW))
  expect(await write(eraseDeleted)).toBe(false)
  await write((tx) => requestErasure(tx, project, deleted(101), NOW))
  expect([await write(eraseDeleted), await write(eraseDeleted), await write(eraseDeleted)]).toEqual([
    true,
    false,
    false,
  ])
})

test.each<[string, boolean]>([
  ['queued', true],
  ['leased', false],
  ['sending', false],
  ['sent', true],
])('A deleted contact with a message that is %s is forgotten at once: %p.', async (status, isForgotten) => {
  await eraseOthers()
  const project = await newProject()
  const id = await newContact(project, EMAIL)
  await write(async (tx) => {
    await requestErasure(tx, project, [{ id, email: EMAIL }], NOW)
    await tx.insert(deliveries).values({
      ...{ project_id: project, contact_id: id, email: EMAIL, kind: 'link' as const, status: status as 'sent' },
      ...{ next_attempt_at: 0, created_at: NOW },
    })
    await eraseDeleted(tx)
  })
  const { db } = await sharedStore()
  expect((await forgottenAmong(db, project, [EMAIL])).size).toBe(isForgotten ? 0 : 1)
  await write((tx) => tx.delete(deliveries))
})

test('An import of the same project loses the address wherever it stands, and the rest of it stays.', async () => {
  await eraseOthers()
  const [project, other] = [await newProject(), await newProject()]
  const id = await newContact(project, EMAIL)
  const error = (row: number, value: string) => ({ row, field: null, code: 'malformed' as const, message: '', value })
  const column = (index: number, sample: string) => ({ index, header: '', samples: [sample], suggested_field: null })
  const stage = (project_id: ProjectId, columns: FileColumn[], row_errors: ImportRowError[]) =>
    write(async (tx) => {
      const file = { project_id, filename: '', size_bytes: 1, delimiter: ',' as const, columns, now: NOW }
      const { id: import_id } = await stageImport(tx, file)
      await tx.update(imports).set({ row_errors }).where(eq(imports.id, import_id))
      return import_id
    })
  const errors = [error(1, EMAIL), error(2, 'bo@example.com')]
  const ids = [
    await stage(project, [column(0, 'bo@example.com')], errors),
    await stage(project, [column(0, EMAIL), column(1, 'Ada')], []),
    await stage(other, [column(0, EMAIL)], errors),
  ]
  await write(async (tx) => {
    await requestErasure(tx, project, [{ id, email: EMAIL }], NOW)
    await eraseDeleted(tx)
  })
  const { db } = await sharedStore()
  const left = await db.select().from(imports).where(inArray(imports.id, ids)).orderBy(imports.id)
  expect(
    left.map(({ columns, row_errors }) => [
      columns.map(({ samples }) => samples),
      row_errors.map(({ value }) => value),
    ]),
  ).toEqual([
    [[['bo@example.com']], [null, 'bo@example.com']],
    [[[], []], []],
    [[[EMAIL]], [EMAIL, 'bo@example.com']],
  ])
})
