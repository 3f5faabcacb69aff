import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { EMPTY_DOCUMENT } from '../../src/newsletter/email/document.ts'
import { requireUnchanged } from '../../src/operation/unchanged.ts'
import { signIn } from '../http/signed-in.ts'
import { draft } from '../newsletter/campaigns/support.ts'
import { START, createWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

interface Answer {
  status: number
  body: any
}

async function session(path: string, body: Record<string, unknown>): Promise<Answer> {
  const response = await world.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: world.url, Cookie: await signIn(world, 'owner') },
    body: JSON.stringify({ project_id: world.project.public_id, ...body }),
  })
  return { status: response.status, body: await response.json() }
}
const campaign = async ({ name, ...more }: Record<string, unknown>): Promise<Answer> =>
  world.call('campaigns/update', { campaign_id: (await theDraft).id, subject: name, ...more })
const template = async (more: Record<string, unknown>): Promise<Answer> =>
  world.call('templates/update', { template_id: (await theTemplate).id, ...more })

let theDraft: Promise<{ id: number; updated_at?: string }>
let theTemplate: Promise<{ id: number; updated_at: string }>
beforeAll(() => {
  theDraft = draft(world)
  theTemplate = world.ok('templates/create', { name: 'T', editor_json: EMPTY_DOCUMENT }).then((made) => made.template)
})

describe.each(['campaign', 'template', 'page', 'post'] as const)('An update of a %s', (kind) => {
  test('is refused when it was changed after it was read, also within one millisecond.', async () => {
    const update = await updateOf(kind)
    const first = timeOf(await update({ name: 'One' }))
    const second = timeOf(await update({ name: 'Two', expected_updated_at: first }))
    expect(Date.parse(second)).toBeGreaterThan(Date.parse(first))
    const refused = await update({ name: 'Three', expected_updated_at: first })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining(second)])
    expect((await update({ name: 'Four', expected_updated_at: second })).status).toBe(200)
    expect((await update({ name: 'Five' })).status).toBe(200)
  })
})

/** The update of a thing that was just made; `name` is its name, title or subject. */
async function updateOf(kind: 'campaign' | 'template' | 'page' | 'post') {
  if (kind === 'campaign') return campaign
  if (kind === 'template') return template
  const path = kind === 'page' ? '/project/pages' : '/project/cms/posts'
  const made = await session(
    `${path}/create`,
    kind === 'page' ? { path: '/a', title: 'A', html: '<p>A' } : { title: 'A', content: 'A' },
  )
  const { id } = made.body[kind]
  return ({ name, ...more }: Record<string, unknown>) =>
    session(`${path}/update`, { [`${kind}_id`]: id, title: name, ...more })
}

function timeOf({ status, body }: Answer): string {
  expect([status, body.error]).toEqual([200, undefined])
  const [thing] = Object.values(body.data ?? body) as Record<string, string>[]
  return thing!.updated_at ?? thing!.last_update!
}

test('campaigns/update leaves the document out of a summary, and keeps what it changed.', async () => {
  const { id } = await draft(world)
  const { campaign: summary } = await world.ok('campaigns/update', {
    campaign_id: id,
    subject: 'New',
    return: 'summary',
  })
  expect([summary.subject, 'editor_json' in summary]).toEqual(['New', false])
  const { campaign: full } = await world.ok('campaigns/update', { campaign_id: id, subject: 'Newer', return: 'full' })
  expect([full.subject, full.editor_json]).toEqual([
    'Newer',
    (await world.ok('campaigns/get', { campaign_id: id })).campaign.editor_json,
  ])
})

test('The expected time may have any offset, and must be a day of the calendar.', () => {
  const offset = new Date(START + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  requireUnchanged(offset, START)
  expect(() => requireUnchanged('2026-02-30T00:00:00Z', START)).toThrow()
})
