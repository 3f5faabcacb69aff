import { afterEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import { journalFolder } from '../../../src/instance.ts'
import type { SmtpOutcome } from '../../../src/mail/smtp-outcome.ts'
import { passes, WITHHELD } from '../../../src/mail/smtp-session.ts'
import { pump } from '../../../src/newsletter/outbox/pump.ts'
import { sentInLastDay } from '../../../src/newsletter/outbox/quota.ts'
import { recoverWorkers } from '../../../src/newsletter/outbox/recovery.ts'
import type { Transport } from '../../../src/newsletter/outbox/transports.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import { bootId, createJournal, type Journal } from '../../../src/store/journal.ts'
import { suppressions } from '../../../src/store/tables/audience.ts'
import { campaigns, events } from '../../../src/store/tables/delivery.ts'
import { workers } from '../../../src/store/tables/operation.ts'
import { loopContext } from '../../support/world.ts'
import { ACCEPTED, createScene, OURS, type OutboxScene } from './support.ts'

/** What the next worker makes of a worker's journal: see docs/api/delivery.md#handover-journal. */

let scene: OutboxScene
afterEach(() => scene.world.close())

const CONNECTIONS = 4
const RECIPIENTS = 8

const GONE: SmtpOutcome = {
  kind: 'permanent',
  scope: 'recipient',
  stage: 'rcpt',
  code: 550,
  enhanced: '5.1.1',
  message: 'who?',
  bad_address: true,
}
const LATER: SmtpOutcome = { kind: 'temporary', scope: 'recipient', stage: 'data', code: 451, message: 'later' }

/** A worker that dies right before its `last`th write to the store, the journal or the relay. */
class Death {
  writes = 0
  constructor(readonly last: number) {}

  get isDead(): boolean {
    return this.writes >= this.last
  }

  /** Whether the next write happens. A dead worker does nothing any more. */
  lives(): boolean {
    if (this.isDead) return false
    this.writes += 1
    return true
  }
}

const NEVER = new Promise<never>(() => undefined)

/** A context and a relay of a worker that dies. `finished` resolves when it is dead or has nothing to do. */
function mortal(death: Death, boot_id = bootId()) {
  const { store } = scene.context
  const died = Promise.withResolvers<void>()
  const step = <T>(work: () => T): T | Promise<never> => {
    if (death.lives()) return work()
    died.resolve()
    return NEVER
  }
  const real = createJournal(journalFolder(scene.context.config), OURS.worker_id, boot_id)
  // A record is synchronous, so a dead worker is one whose records and all that follows them do not happen.
  const journal: Journal = {
    ...real,
    open(lease_id, about) {
      const page = real.open(lease_id, about)
      return {
        ...page,
        begin(id) {
          if (!death.lives()) throw died.resolve()
          return page.begin(id)
        },
        answer(id, answer) {
          if (death.lives()) page.answer(id, answer)
          else died.resolve()
        },
      }
    },
  }
  const context: LoopContext = {
    ...scene.context,
    journal,
    log: { ...scene.context.log, error: () => undefined },
    store: { ...store, write: (...work: Parameters<typeof store.write>) => step(() => store.write(...work)) as never },
  }
  return { context, died: died.promise, step }
}

/** A relay that takes note of each message that it has. Odd addresses are answered in odd ways. */
function relay(has: string[], step: ReturnType<typeof mortal>['step'] = (work) => work()): Transport {
  return {
    parallel: CONNECTIONS,
    async send({ to }, _message, gate) {
      const number = Number(/\d+/.exec(to)![0])
      if (number === 5) return GONE
      if (!(await passes(gate))) return WITHHELD
      return step(async () => {
        if (number === 7) return LATER
        has.push(to)
        await Promise.resolve()
        return ACCEPTED
      })
    },
    close: async () => undefined,
  }
}

const bury = () => scene.context.store.write((tx) => tx.delete(workers).where(eq(workers.id, OURS.worker_id)))

/** Recovers as another worker, and sends the rest. */
async function goOn(has: string[]): Promise<void> {
  await bury()
  const context = loopContext(scene.world.service.runtime, 'wrk_other')
  await recoverWorkers(context, { are_tidy: false })
  await scene.context.store.write((tx) =>
    tx
      .insert(workers)
      .values({ id: 'wrk_other', host: 'here', pid: 2, started_at: 0, alive_until: Number.MAX_SAFE_INTEGER }),
  )
  await pump({ context, stream: scene.stream, transport: relay(has), down_since: null })
}

const twice = (has: string[]) => has.filter((email, index) => has.indexOf(email) !== index)

/** Kills a worker before its `last`th write and lets another go on; answers whether there was such a write. */
async function killAt(last: number, boot_id = bootId()) {
  scene = await createScene(RECIPIENTS)
  const death = new Death(last)
  const { context, died, step } = mortal(death, boot_id)
  const has: string[] = []
  const running = pump({ context, stream: scene.stream, transport: relay(has, step), down_since: null })
  running.catch(() => undefined)
  await Promise.race([died, running])
  await Promise.resolve()
  await goOn(has)
  const rows = await scene.rows()
  return { has, rows, died: death.isDead }
}

test('A kill between any two writes loses nobody, sends nobody twice, and leaves few in doubt.', async () => {
  let deaths = 0
  let doubts = 0
  for (let last = 1; ; last++) {
    const { has, rows, died } = await killAt(last)
    const by = (status: string) => rows.filter((row) => row.status === status).map(({ email }) => email)
    expect(twice(has)).toEqual([])
    expect(by('uncertain').length).toBeLessThanOrEqual(CONNECTIONS)
    expect(by('sent').filter((email) => !has.includes(email))).toEqual([])
    expect(has.filter((email) => !by('sent').includes(email) && !by('uncertain').includes(email))).toEqual([])
    // The address that does not exist, the one that is tried later, and everybody else.
    expect(by('bounced')).toEqual(['reader5@example.com'])
    expect(by('queued').filter((email) => email !== 'reader7@example.com')).toEqual([])
    expect(by('sent').length + by('uncertain').length + by('queued').length + 1).toBe(RECIPIENTS)
    doubts += by('uncertain').length
    const { store, clock } = scene.context
    const counted = await sentInLastDay(store.db, scene.stream.project_id, scene.stream.connection.id, clock.now())
    expect(counted).toBe(by('sent').length + by('uncertain').length + by('bounced').length)
    if (!died) break
    deaths += 1
    await scene.world.close()
  }
  // Two records and one hand-over for each message, and the writes of the store.
  expect(deaths).toBeGreaterThan(3 * (RECIPIENTS - 2))
  expect(doubts).toBeGreaterThan(0)
}, 300_000)

test('After a power cut nobody is sent to twice, and the marked rows are in doubt.', async () => {
  for (const last of [9, 14, 20]) {
    const { has, rows } = await killAt(last, 'the boot before')
    expect(twice(has)).toEqual([])
    const uncertain = rows.filter(({ status }) => status === 'uncertain')
    expect(uncertain.length).toBeGreaterThan(0)
    expect(rows.filter(({ status, email }) => status === 'sent' && !has.includes(email))).toEqual([])
    await scene.world.close()
  }
}, 120_000)

describe('what the journal tells', () => {
  /** Marks all rows and leaves the given records; another worker recovers. */
  async function recovered(record: (journal: Journal, ids: number[]) => void): Promise<void> {
    scene = await createScene(4)
    const { context } = scene
    const rows = await scene.lease(OURS)
    await context.store.write((tx) => tx.run(sql`UPDATE deliveries SET status = 'sending', attempts = 1`))
    record(
      context.journal,
      rows.map(({ id }) => id),
    )
    await bury()
    await recoverWorkers(loopContext(scene.world.service.runtime, 'wrk_other'), { are_tidy: false })
  }

  test('The journal settles each message: sent, bounced, tried again later, or not handed over.', async () => {
    await recovered((journal, [first, second, third]) => {
      const page = journal.open(OURS.lease_id, scene.stream.connection.id)
      for (const id of [first!, second!, third!]) page.begin(id)
      page.answer(first!, { status: 'sent' })
      page.answer(second!, { status: 'bounced', error: '550 5.1.1 who?' })
      page.answer(third!, { status: 'retry', error: '451 later', due_at: scene.world.clock.now() + 60_000 })
    })
    const rows = await scene.rows()
    expect(rows.map(({ status, attempts, last_error }) => [status, attempts, last_error])).toEqual([
      ['sent', 1, null],
      ['bounced', 1, '550 5.1.1 who?'],
      ['queued', 1, '451 later'],
      ['queued', 0, 'The message was not handed over yet.'],
    ])
    expect(rows[2]!.next_attempt_at).toBe(scene.world.clock.now() + 60_000)
    const { db } = scene.context.store
    expect((await db.select().from(suppressions)).map(({ email, reason }) => [email, reason])).toEqual([
      [rows[1]!.email, 'hard_bounce'],
    ])
    expect((await db.select().from(events)).map(({ type }) => type)).toEqual(expect.arrayContaining(['sent', 'bounce']))
  })

  test('The journal of a canceled campaign cancels the messages that were not handed over.', async () => {
    await recovered((journal, [first]) => {
      journal.open(OURS.lease_id, scene.stream.connection.id).begin(first!)
      void scene.context.store.write((tx) => tx.update(campaigns).set({ status: 'cancelled' }))
    })
    expect(await scene.statuses()).toEqual({ uncertain: 1, cancelled: 3 })
  })

  test('A lease that has no page in the journal leaves its rows in doubt.', async () => {
    await recovered((journal) => void journal.open('prc_another_lease', 1))
    expect(await scene.statuses()).toEqual({ uncertain: 4 })
  })

  test('A journal is forgotten once it was read: the files of dead workers are removed.', async () => {
    await recovered((journal) => void journal.open(OURS.lease_id, 1))
    expect(readdirSync(journalFolder(scene.context.config))).toEqual([])
  })
})

test('A worker that was declared dead while it was frozen hands nothing over when it wakes up.', async () => {
  scene = await createScene(8)
  const has: string[] = []
  const frozen = Promise.withResolvers<void>()
  const thawed = Promise.withResolvers<void>()
  const transport: Transport = {
    ...relay(has),
    async send(envelope, message, gate) {
      frozen.resolve()
      await thawed.promise
      return relay(has).send(envelope, message, gate)
    },
  }
  const running = pump({ context: scene.context, stream: scene.stream, transport, down_since: null })
  await frozen.promise
  await goOn(has)
  thawed.resolve()
  await running
  expect(twice(has)).toEqual([])
  const rows = await scene.rows()
  expect(rows.filter(({ status }) => status === 'uncertain')).toEqual([])
  expect(has).toHaveLength(6)
})
