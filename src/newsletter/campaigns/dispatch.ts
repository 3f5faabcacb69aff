import type { ProjectId } from '../../ids.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Cache, createCache } from '../../cache.ts'
import { errorFields } from '../../log.ts'
import type { Loop, LoopContext } from '../../runtime.ts'
import { projects } from '../../store/tables/accounts.ts'
import { campaigns, connections } from '../../store/tables/delivery.ts'
import { type Brake, createBrake } from '../outbox/brake.ts'
import { hasSameAddress, stillEligible } from '../outbox/eligibility.ts'
import { signerOf } from '../connections/dkim-keys.ts'
import type { Compose } from '../outbox/hand-over.ts'
import { hastenAfterClockChange } from '../outbox/clock-change.ts'
import { type Leased, leaseCampaign } from '../outbox/outbox.ts'
import { pump } from '../outbox/pump.ts'
import { recoverWorkers } from '../outbox/recovery.ts'
import type { Stream } from '../outbox/send-batch.ts'
import { type Connection, forCampaigns } from '../connections/connection.ts'
import { connectionOf, senderOf } from '../connections/sender.ts'
import { getSettings } from '../connections/settings.operations.ts'
import { dueTransactional, transactionalStream } from '../outbox/transactional.ts'
import { createTransports, type Transports } from '../outbox/transports.ts'
import { resolveAudience } from './audience-spec.ts'
import { type CampaignContent, type CampaignParts, campaignContent } from './content.ts'
import { addressees } from './merge-values.ts'
import { connectionProblem } from './readiness.ts'
import { pauseUnwelcome } from './reputation.ts'
import { slowAsNull } from './compile-task.ts'
import { pauseCampaign } from './pause.ts'
import { pauseForFault } from './pause-for-fault.ts'
import { closeCampaign, unfinished, wasAccepted } from './close.ts'
import { composeTests } from './test-messages.ts'
import { continueRecipientUpdates } from './recipient-updates.ts'

/**
 * The delivery loop: finds every stream of messages that has something due and runs each on its own, so that a slow
 * relay or an exhausted limit of one stream delays no other.
 */
interface Dispatcher {
  transports: Transports
  running: Map<string, Promise<void>>
  /** Connections whose relay could not be reached: since when, and until when it is not tried again. */
  down: Map<number, { since: number; until: number; pause_ms: number }>
  /** Rendered campaigns, each with the text of what it was rendered from. */
  contents: Cache<number, { source: string; content: CampaignContent }>
  /** The brake of each campaign, which counts what this process handed over. */
  brakes: Cache<number, Brake>
  /** Whether a message was handed over or a campaign closed since the tick began: there may be more to do. */
  progressed: boolean
  journals: { are_tidy: boolean }
  clock_looked: { at: number }
}

/** How long a tick waits for its streams before it looks for new ones. */
const TICK_MS = 250
/** Contents of campaigns that another process finished, or that were canceled, leave the cache by this bound only. */
const MAX_CONTENTS = 100
/** Pauses before an unreachable relay is tried again, doubled each time. */
const DOWN_PAUSE_MS = { first: 5_000, longest: 300_000 }

/** Delivery by one process. */
export function createDelivery(): Required<Pick<Loop, 'tick' | 'close'>> {
  let dispatcher: Dispatcher | null = null
  return {
    /** Recovers messages of dead workers, continues recipient updates, and runs what is due. */
    async tick(context) {
      try {
        return await startDue(context, (dispatcher ??= createDispatcher(context)))
      } catch (error) {
        await pauseForFault(context, error)
        throw error
      }
    },
    /** Closes the connections to all relays, after the loops have ended. */
    async close() {
      await dispatcher?.transports.close()
    },
  }
}

async function startDue(context: LoopContext, dispatcher: Dispatcher): Promise<boolean> {
  await recoverWorkers(context, dispatcher.journals)
  await hastenAfterClockChange(context, dispatcher.clock_looked)
  dispatcher.progressed = await continueRecipientUpdates(context)
  for (const [key, open] of await dueStreams(context, dispatcher)) {
    if (!dispatcher.running.has(key))
      dispatcher.running.set(
        key,
        run(context, dispatcher, key, open).finally(() => dispatcher.running.delete(key)),
      )
  }
  if (dispatcher.running.size === 0) return dispatcher.progressed
  await Promise.race([Promise.all(dispatcher.running.values()), Bun.sleep(TICK_MS)])
  if (context.stopping()) await Promise.all(dispatcher.running.values())
  return dispatcher.running.size > 0 || dispatcher.progressed
}

function createDispatcher(context: LoopContext): Dispatcher {
  return {
    transports: createTransports(context),
    running: new Map(),
    down: new Map(),
    contents: createCache({ max_entries: MAX_CONTENTS }),
    brakes: createCache({ max_entries: MAX_CONTENTS }),
    progressed: false,
    journals: { are_tidy: false },
    clock_looked: { at: Number.NEGATIVE_INFINITY },
  }
}

type OpenStream = () => Promise<{ stream: Stream; finish?: () => Promise<boolean> } | null>

/** Every stream that may have something to send now, by a unique key. */
async function dueStreams(context: LoopContext, dispatcher: Dispatcher): Promise<Map<string, OpenStream>> {
  const now = context.clock.now()
  const streams = new Map<string, OpenStream>()
  // A sending campaign is due when one of its messages is, or when none is left and the campaign has to be closed.
  const due = await context.store.db.all<{ id: number }>(sql`
    SELECT campaign.id FROM campaigns campaign WHERE campaign.status = 'sending' AND (
      EXISTS (
        SELECT 1 FROM deliveries delivery
        WHERE delivery.campaign_id = campaign.id AND delivery.status = 'queued' AND delivery.kind = 'campaign'
          AND delivery.next_attempt_at <= ${now})
      OR campaign.recipient_update IS NULL AND NOT EXISTS (${unfinished(sql`campaign.id`)}))`)
  for (const { id } of due) streams.set(`campaign:${id}`, () => campaignStream(context, dispatcher, id))
  for (const batch of await dueTransactional(context.store.db, now)) {
    streams.set(`transactional:${batch.project_id}:${batch.campaign_id}`, async () => {
      const stream = await transactionalStream(context, batch, composeTests)
      return stream && { stream }
    })
  }
  return streams
}

async function run(context: LoopContext, dispatcher: Dispatcher, key: string, open: OpenStream): Promise<void> {
  try {
    const opened = await open()
    if (!opened) return
    const { stream, finish } = opened
    const { connection } = stream
    const down = dispatcher.down.get(connection.id)
    const pause_ms = down ? down.until - context.clock.now() : 0
    // A pause longer than the longest comes from a clock that was set back.
    if (pause_ms <= 0 || pause_ms > DOWN_PAUSE_MS.longest) {
      const result = await pump({
        context,
        stream,
        transport: await dispatcher.transports.of(connection),
        down_since: down?.since ?? null,
        async reopen() {
          const again = await open()
          return again && { stream: again.stream, transport: await dispatcher.transports.of(again.stream.connection) }
        },
      })
      if (result.handed_over > 0) dispatcher.progressed = true
      if ((result.handed_over > 0 && !result.braked) || result.relay_down !== null) {
        await noteRelay(context, dispatcher, connection, result.relay_down)
      }
      if (result.paced_ms !== null) setTimeout(() => context.wake('delivery'), result.paced_ms).unref()
    }
    if (!context.stopping() && (await finish?.())) dispatcher.progressed = true
  } catch (error) {
    context.log.error('a stream of messages failed; it continues with the next tick', errorFields(error))
    const [kind, id] = key.split(':')
    if (kind === 'campaign') await pauseForFault(context, error, Number(id))
  }
}

/** Notes whether a relay was reachable. An unreachable relay is tried again after pauses that grow. */
async function noteRelay(
  context: LoopContext,
  dispatcher: Dispatcher,
  { id, last_error }: Connection,
  reason: string | null,
): Promise<void> {
  const before = dispatcher.down.get(id)
  if (reason === null) {
    if (!dispatcher.down.delete(id) && last_error === null) return
  } else {
    const now = context.clock.now()
    const pause_ms = Math.min((before?.pause_ms ?? DOWN_PAUSE_MS.first / 2) * 2, DOWN_PAUSE_MS.longest)
    dispatcher.down.set(id, { since: before?.since ?? now, until: now + pause_ms, pause_ms })
    context.log.warn('a relay cannot be reached', { connection_id: id, pause_ms })
  }
  await context.store.write((tx) => tx.update(connections).set({ last_error: reason }).where(eq(connections.id, id)))
}

async function campaignStream(
  context: LoopContext,
  dispatcher: Dispatcher,
  campaign_id: number,
): Promise<{ stream: Stream; finish: () => Promise<boolean> } | null> {
  const { db } = context.store
  const [row] = await db
    .select()
    .from(campaigns)
    .innerJoin(projects, eq(projects.id, campaigns.project_id))
    .where(and(eq(campaigns.id, campaign_id), isNull(campaigns.deleted_at)))
  if (!row || row.campaigns.status !== 'sending') return null
  const { campaigns: campaign, projects: project } = row
  const finish = async (): Promise<boolean> => {
    const closed = await closeCampaign(context, project.id, campaign_id)
    if (closed) for (const known of [dispatcher.contents, dispatcher.brakes]) known.delete(campaign_id)
    return closed
  }
  const settings = await getSettings(db, project.id)
  const connection = await connectionOf(db, project.id, settings, campaign.connection_id)
  const problem = connectionProblem(connection, campaign.connection_id, context.config)
  if (!connection || problem !== null) {
    // docs/api/campaigns.md#readiness
    await pauseCampaign(context, { project_id: project.id, campaign_id, cause: 'connection', because: problem! })
    return null
  }
  const sender = senderOf(settings, campaign)
  const content = await contentOf(context, dispatcher, { campaign, project, settings, sender }).catch(slowAsNull)
  if (!content) {
    const because = 'its document takes too long to process. Cancel the campaign and send a copy with a simpler one.'
    await pauseCampaign(context, { project_id: project.id, campaign_id, cause: 'content', because })
    return null
  }
  const audience = await resolveAudience(db, project.id, campaign.audience_spec, context.clock.now())
  return {
    finish,
    stream: {
      project_id: project.id,
      campaign_id,
      connection: forCampaigns(connection),
      monthly_limit: project.monthly_limit,
      running: sql`EXISTS (
        SELECT 1 FROM campaigns campaign WHERE campaign.id = ${campaign_id} AND campaign.status = 'sending')`,
      may_send: sql`EXISTS (
        SELECT 1 FROM contacts contact
        WHERE contact.id = delivery.contact_id AND ${hasSameAddress()} AND ${stillEligible(audience)})`,
      lease: (tx, lease, limit, now) => leaseCampaign(tx, lease, { campaign_id, limit, now }),
      compose: (rows) => composeAll(context, content, rows),
      messageId: (row) => content.messageId(row),
      sign: await signerOf(context, connection, content.sender.from_email),
      brake: await brakeOf(context, dispatcher, campaign_id),
      async afterBatch() {
        await pauseFailing(context, dispatcher, { project_id: project.id, campaign_id, connection_id: connection.id })
        await pauseUnwelcome(context, campaign_id)
      },
    },
  }
}

/** Pauses a campaign whose relay fails, with the relay's words (docs/api/delivery.md#brake). */
async function pauseFailing(
  context: LoopContext,
  dispatcher: Dispatcher,
  { project_id, campaign_id, connection_id }: { project_id: ProjectId; campaign_id: number; connection_id: number },
): Promise<void> {
  const brake = await brakeOf(context, dispatcher, campaign_id)
  const error = brake.newlyDeferring()
  if (error !== null) context.log.warn('a relay refuses messages for now', { connection_id, campaign_id, error })
  if (brake.tripped === null) return
  const { words, accepts_none } = brake.tripped
  const what = accepts_none ? 'relay has accepted no message' : 'relay fails'
  await pauseCampaign(
    context,
    { project_id, campaign_id, cause: 'relay', because: `the ${what}. It said: ${words}` },
    (tx) =>
      tx
        .update(connections)
        .set({ last_error: `The ${what}: ${words}` })
        .where(eq(connections.id, connection_id)),
  )
  dispatcher.brakes.set(campaign_id, createBrake(brake.next))
}

async function brakeOf({ store }: LoopContext, { brakes }: Dispatcher, campaign_id: number): Promise<Brake> {
  const brake = brakes.get(campaign_id) ?? createBrake({ accepted: await wasAccepted(store.db, campaign_id) })
  brakes.set(campaign_id, brake)
  return brake
}

/** The rendered campaign. It is rendered again when the campaign or the project's settings change. */
async function contentOf(context: LoopContext, dispatcher: Dispatcher, parts: CampaignParts): Promise<CampaignContent> {
  const { campaign, project, settings } = parts
  const source = JSON.stringify([campaign.updated_at, project.name, project.slug, settings])
  const known = dispatcher.contents.get(campaign.id)
  if (known?.source === source) return known.content
  const content = await campaignContent(context, parts)
  dispatcher.contents.set(campaign.id, { source, content })
  return content
}

async function composeAll(context: LoopContext, content: CampaignContent, rows: readonly Leased[]): Promise<Compose> {
  const people = await addressees(
    context.store.db,
    rows.map(({ contact_id }) => contact_id ?? 0),
  )
  return (row) => {
    const person = people.get(row.contact_id ?? 0)
    return person ? content.compose(row, person, context.clock.now()) : null
  }
}
