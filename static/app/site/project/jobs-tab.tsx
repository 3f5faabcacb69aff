import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { mutate, newKey, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { invalidate, useRead } from '../../api/query.ts'
import { can } from '../../api/role.ts'
import { type Job, jobHref, jobName } from '../../job.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Select } from '../../ui/field.tsx'
import { count, dateTime, number } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { StateMark, stateWord } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { keyPages } from '../../ui/key-pages.ts'
import { Pager } from '../../ui/table-parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { jobsRequest, STATUSES } from './jobs-request.ts'

const BUSY_MS = 3_000
const QUIET_MS = 30_000
/** The jobs of the project, newest first. */
export function JobsTab({ query }: { query: Record<string, string> }) {
  const { route } = useLocation()
  const every = useSignal(QUIET_MS)
  const canceling = useSignal<Job | null>(null)
  const { data, error, busy, reload } = useRead('jobs/list', jobsRequest(query), { every_ms: every.value })
  const isWorking = data?.items.some(isUnderWay) ?? false
  useEffect(() => {
    every.value = isWorking ? BUSY_MS : QUIET_MS
  }, [isWorking])
  const requeue = useMutation('jobs/requeue', {
    invalidates: ['jobs/'],
    done: ({ job }) => toast({ text: `${jobName(job)}: queued again. It goes on where it stopped.` }),
  })
  const status = query.status ?? ''
  return (
    <div class="stack">
      <div class="filters">
        <Select
          label="Status"
          label_hidden
          value={status}
          placeholder="Any status"
          options={STATUSES.map((value) => ({ value, label: stateWord(value) }))}
          onInput={(value) => route(link('/activity', { status: value }))}
        />
      </div>
      {requeue.error && <ErrorNote title="The job was not queued again." error={requeue.error} />}
      {error ? (
        <ErrorNote title="Jobs could not be loaded." error={error} retry={reload} />
      ) : (
        <Card flush>
          <Table
            caption="Jobs"
            columns={columns({
              requeue: (job) => void requeue.run({ job_id: job.id }),
              cancel: (job) => (canceling.value = job),
            })}
            rows={data?.items ?? null}
            busy={busy}
            row_key={({ id }) => String(id)}
            row_href={(job) => (job.about === null ? undefined : jobHref(job))}
            empty={
              status === '' ? (
                <Empty sentence="Imports, changes of many contacts and the preparation of campaigns are jobs. None has run yet." />
              ) : (
                <Empty
                  sentence="No job has this status."
                  action={<Button href={link('/activity')}>Clear filters</Button>}
                />
              )
            }
          />
        </Card>
      )}
      <Pager
        {...keyPages({
          cursor: query.after,
          next: data?.next_cursor,
          go: (after) => route(link('/activity', { status, after })),
        })}
      />
      {canceling.value && (
        <ConfirmDialog
          title={`Cancel “${jobName(canceling.value)}”?`}
          verb={canceling.value.about?.type === 'import' ? 'Cancel the import' : 'Cancel the change'}
          no="Let it run"
          danger
          onClose={() => (canceling.value = null)}
          onConfirm={async () => {
            await cancelJob(canceling.value!)
            invalidate('jobs/', 'imports/', 'contacts/')
          }}
        >
          <p>{whatStays(canceling.value)}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function isUnderWay({ status }: Job): boolean {
  return status === 'queued' || status === 'running'
}

function columns(act: { requeue(job: Job): void; cancel(job: Job): void }): Column<Job>[] {
  return [
    {
      id: 'name',
      head: 'Job',
      card: 'title',
      cell: (job) => (
        <span class="person">
          <span class="person-name">{jobName(job)}</span>
          {job.error !== null && <span class="small job-error">{job.error}</span>}
        </span>
      ),
    },
    { id: 'state', head: 'Status', tight: true, cell: ({ status }) => <StateMark state={status} /> },
    { id: 'done', head: 'Done', cell: (job) => <Done job={job} /> },
    { id: 'at', head: 'Began', tight: true, cell: ({ created_at }) => dateTime(created_at) },
    {
      id: 'do',
      head: <span class="visually-hidden">Change</span>,
      align: 'end',
      cell: (job) => {
        if (!can('editor')) return null
        if (job.status === 'failed')
          return (
            <Button small onClick={() => act.requeue(job)}>
              Try again<span class="visually-hidden"> {jobName(job)}</span>
            </Button>
          )
        if (isUnderWay(job) && CANCELABLE.has(job.kind))
          return (
            <Button small kind="quiet" onClick={() => act.cancel(job)}>
              Cancel<span class="visually-hidden"> {jobName(job)}</span>
            </Button>
          )
        return null
      },
    },
  ]
}

/** The preparation of a campaign is canceled with the campaign, on its page. */
const CANCELABLE: ReadonlySet<Job['kind']> = new Set(['import', 'import_examine', 'bulk', 'segment_materialize'])

async function cancelJob({ id, about }: Job): Promise<void> {
  if (about?.type === 'import') await mutate('imports/cancel', { import_id: about.id }, newKey())
  else await sendOnce('POST /project/jobs/cancel', { project_id: projectId(), job_id: id })
}

function whatStays({ kind, processed }: Job): string {
  if (kind === 'import_examine') return 'Nothing of the file was imported yet.'
  if (kind === 'import')
    return `${count(processed, 'row is', 'rows are')} done. The contacts that it has imported stay.`
  return `${count(processed, 'contact is', 'contacts are')} done and stay as they are now. The others do not change.`
}

function Done({ job: { status, processed, total } }: { job: Job }) {
  const words = total === null ? number(processed) : `${number(processed)} of ${number(total)}`
  if (status !== 'running') return <span class="number">{words}</span>
  return (
    <Progress
      label="Done"
      label_hidden
      value={total === null ? undefined : processed}
      max={total ?? undefined}
      note={<span class="number">{words}</span>}
    />
  )
}
