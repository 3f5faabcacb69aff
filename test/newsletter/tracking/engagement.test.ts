import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createEngagementLog, type EngagementEvent } from '../../../src/newsletter/tracking/engagement.ts'
import { deliveries } from '../../../src/store/tables/delivery.ts'
import { newCampaign, newProject, NOW, sharedStore } from '../../support/shared-store.ts'
import { createScene } from '../outbox/support.ts'

test('Of one message 500 opens are stored and 500 clicks: opens do not use up the clicks.', async () => {
  const scene = await createScene(1)
  const { store, clock } = scene.world.service.runtime
  const [row] = await scene.rows()
  const log = createEngagementLog(store)
  const { campaign_id } = scene
  const about = { campaign_id, delivery_id: row!.id, at: clock.now(), user_agent: '', machine: false }
  const many = (event: Pick<EngagementEvent, 'type' | 'url'>, times: number) =>
    Promise.all(Array.from({ length: times }, () => log.record({ ...about, ...event })))
  await many({ type: 'open', url: null }, 500)
  await many({ type: 'open', url: null }, 1)
  await many({ type: 'click', url: 'https://harbour.example/' }, 1)
  expect(
    await store.db.all(sql`
      SELECT type, count(*) AS events FROM events WHERE type IN ('open', 'click') GROUP BY type ORDER BY type`),
  ).toEqual([
    { type: 'click', events: 1 },
    { type: 'open', events: 500 },
  ])
  await scene.world.close()
})

describe('of one message', () => {
  const LINKS = ['https://a.example/', 'https://b.example/'] as const
  type Seen = [type: 'open' | 'click', after_ms: number, url?: string, machine?: boolean]

  /** Records what was seen of a message that was sent at NOW, all at once; answers its status and its events. */
  async function see(seen: Seen[], more: Partial<typeof deliveries.$inferInsert> = {}) {
    const store = await sharedStore()
    const project_id = await newProject()
    const campaign_id = await newCampaign(project_id)
    const values = {
      ...{ project_id, kind: 'campaign' as const, campaign_id, email: 'a@x.example', sent_at: NOW },
      ...{ status: 'sent' as const, next_attempt_at: 0, created_at: NOW, ...more },
    }
    const [row] = await store.write((tx) => tx.insert(deliveries).values(values).returning({ id: deliveries.id }))
    const { record } = createEngagementLog(store)
    const about = { campaign_id, delivery_id: row!.id, user_agent: '' }
    await Promise.all(
      seen.map(([type, after_ms, url = null, machine = false]) =>
        record({ ...about, type, at: NOW + after_ms, url, machine }),
      ),
    )
    const found = await store.db.all<{ type: string; machine: number; at: number }>(sql`
      SELECT type, machine, at FROM events WHERE delivery_id = ${row!.id} ORDER BY id`)
    const [after] = await store.db.all<{ status: string; sent_at: number }>(sql`
      SELECT status, sent_at FROM deliveries WHERE id = ${row!.id}`)
    return { ...after!, types: found.map(({ type }) => type), machines: found.map(({ machine }) => machine), found }
  }

  test.each<[string, Seen[], number[]]>([
    [
      'within two seconds and a minute of its delivery',
      [
        ['click', 58_000, LINKS[0]],
        ['click', 60_000, LINKS[1]],
      ],
      [1, 1],
    ],
    [
      'more than two seconds apart',
      [
        ['click', 0, LINKS[0]],
        ['click', 2_001, LINKS[1]],
      ],
      [0, 0],
    ],
    [
      'of which one is later than a minute',
      [
        ['click', 59_000, LINKS[0]],
        ['click', 60_001, LINKS[1]],
      ],
      [0, 0],
    ],
    [
      'beside a third one later',
      [
        ['click', 0, LINKS[0]],
        ['click', 9, LINKS[1]],
        ['click', 9_000, LINKS[0]],
      ],
      [1, 1, 0],
    ],
  ])('Two links that are clicked %s: %j are those of a machine: %j.', async (_, seen, machines) => {
    expect((await see(seen)).machines).toEqual(machines)
  })

  test('One link that is clicked twice, and a click beside an open, are no burst.', async () => {
    expect(
      (
        await see([
          ['click', 0, LINKS[0]],
          ['click', 5, LINKS[0]],
        ])
      ).machines,
    ).toEqual([0, 0])
    expect(
      (
        await see([
          ['open', 0],
          ['click', 5, LINKS[0]],
        ])
      ).machines,
    ).toEqual([0, 0])
  })

  test('A gateway that scans a message before it has a time of sending is a machine.', async () => {
    const seen: Seen[] = [
      ['click', 0, LINKS[0]],
      ['click', 100, LINKS[1]],
    ]
    expect((await see(seen, { sent_at: null, status: 'sending' })).machines).toEqual([1, 1])
  })

  test('A message in doubt arrived when a person acts in it, and not when a machine does.', async () => {
    const doubt = { status: 'uncertain', sent_at: null } as const
    const burst: Seen[] = [
      ['click', 0, LINKS[0]],
      ['click', 5, LINKS[1]],
    ]
    const opened = await see(
      [
        ['open', 7],
        ['click', 9_000, LINKS[0]],
      ],
      doubt,
    )
    expect([opened.status, opened.sent_at, opened.types]).toEqual(['sent', NOW + 9_000, ['open', 'click', 'sent']])
    expect((await see([['open', 7, undefined, true]], doubt)).status).toBe('uncertain')
    expect((await see(burst, doubt)).status).toBe('uncertain')
    expect((await see([['open', 7]], { ...doubt, status: 'failed' })).types).toEqual(['open'])
  })

  test('Nothing is stored of a message that is a test, or of another campaign.', async () => {
    expect((await see([['open', 0]], { kind: 'test' })).types).toEqual([])
    expect((await see([['open', 0]], { campaign_id: null })).types).toEqual([])
  })
})
