import { useAction } from '../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import { confirmed } from '../confirm-identity.ts'
import { Button } from '../ui/button.tsx'
import { Callout, Skeleton } from '../ui/callout.tsx'
import { Card, Tile, Tiles } from '../ui/card.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { bytes, count, dateTime, duration, number, percent } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'
import { StatusBadge } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import { toast } from '../ui/toast.tsx'
import { BACKUPS, Backups } from './backups.tsx'

type Health = RouteResponse<'GET /user/operator/health'>['health']

const AGAIN_MS = 10_000
/** When less than this share of the disk is free, public writes will soon be refused. */
const LITTLE_DISK = 0.1

/** The health of the service, requested again by itself. */
export default function HealthPage() {
  const { data, error, reload } = useQuery(
    '/user/operator/health',
    (signal) => send('GET /user/operator/health', {}, { signal }),
    { every_ms: AGAIN_MS },
  )
  const backup = useAction(() => confirmed(() => sendOnce('POST /user/operator/backup', {})), {
    invalidates: ['/user/operator/health', BACKUPS],
    done: ({ backup: { size_bytes, proven_on } }) =>
      void toast(
        proven_on === null
          ? { text: 'The backup was made, and cannot be restored.', tone: 'bad' }
          : { text: `A backup of ${bytes(size_bytes)} was made and proven.`, tone: 'good' },
      ),
  })
  return (
    <>
      <PageHead
        title="Health"
        primary={
          <Button kind="primary" main busy={backup.busy} onClick={() => void backup.run(undefined)}>
            Back up now
          </Button>
        }
      />
      <FlawSummary title="The backup was not made." error={backup.error} />
      {error && !data && <ErrorNote title="The state could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && <State health={data.health} />}
    </>
  )
}

function State({ health }: { health: Health }) {
  const { ready, reason, outbox, jobs, receipts, account_mail, relays_held_back, disk } = health
  const free = disk.free_bytes / disk.total_bytes
  return (
    <>
      {ready ? (
        <p>
          <StatusBadge tone="good">Ready</StatusBadge> Version {health.version}, up for{' '}
          {duration(health.uptime_seconds * 1000)}.
        </p>
      ) : (
        <Callout tone="bad" title="The service is not ready.">
          <p>{reason}</p>
        </Callout>
      )}
      {relays_held_back.map(({ connection_id, project, name, error }) => (
        <Callout key={connection_id} tone="wait" title={`${project}: ${name} is held back.`}>
          <p>{error}</p>
        </Callout>
      ))}
      <Tiles>
        <Tile
          label="Messages waiting"
          value={number(outbox.queued + outbox.leased + outbox.sending)}
          note={outbox.oldest_due_on === null ? 'Nothing is due' : `Oldest due ${dateTime(outbox.oldest_due_on)}`}
        />
        <Tile
          label="Jobs"
          value={number(jobs.queued + jobs.running)}
          note={jobs.oldest_due_on === null ? 'Nothing is due' : `Oldest due ${dateTime(jobs.oldest_due_on)}`}
        />
        <Tile
          label="Stuck receipts"
          value={number(receipts.stuck)}
          note="Calls that never ended"
          tone={receipts.stuck > 0 ? 'wait' : undefined}
        />
        <Tile
          label="Own mail"
          value={number(account_mail.queued)}
          note={`${number(account_mail.failed_in_last_day)} failed in a day`}
          tone={account_mail.failed_in_last_day > 0 ? 'bad' : undefined}
        />
        <Tile
          label="Free disk"
          value={percent(free, 0)}
          note={`${bytes(disk.free_bytes)} of ${bytes(disk.total_bytes)}${databaseWords(disk.database_bytes)}`}
          tone={free < LITTLE_DISK ? 'bad' : undefined}
        />
      </Tiles>
      <Backups />
      <Card title="Loops" flush>
        <Table
          caption="Loops"
          rows={health.loops}
          row_key={({ name, host, pid }) => `${name} ${host} ${pid}`}
          columns={[
            { id: 'name', head: 'Loop', card: 'title', cell: ({ name }) => name },
            {
              id: 'state',
              head: 'State',
              card: 'line',
              cell: ({ failed_on, running }) =>
                failed_on === null ? (
                  <StatusBadge tone="good">{running ? 'Running' : 'Waiting'}</StatusBadge>
                ) : (
                  <StatusBadge tone="bad">Failed</StatusBadge>
                ),
            },
            {
              id: 'last',
              head: 'Last run',
              card: 'line',
              tight: true,
              cell: ({ last_run_on }) => dateTime(last_run_on),
            },
            {
              id: 'took',
              head: 'Took',
              align: 'end',
              card: 'line',
              cell: ({ took_ms }) => (took_ms === null ? '' : `${number(took_ms)} ms`),
            },
            {
              id: 'lag',
              head: 'Late',
              align: 'end',
              card: 'line',
              cell: ({ lag_ms }) => (lag_ms === null ? '' : `${number(lag_ms)} ms`),
            },
          ]}
        />
      </Card>
      <p class="quiet">
        {count(health.workers.length, 'process works', 'processes work')} on this database.{' '}
        {count(health.campaigns.sending, 'campaign is', 'campaigns are')} sent, {number(health.campaigns.paused)}{' '}
        paused.
      </p>
    </>
  )
}

function databaseWords(size_bytes: number | null): string {
  return size_bytes === null ? '' : `, database ${bytes(size_bytes)}`
}
