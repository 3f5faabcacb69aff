import { useEffect, useState } from 'preact/hooks'
import { mutate } from '../api/calls.ts'
import { invalidate } from '../api/query.ts'
import type { Import } from '../api/operations.d.ts'
import { can } from '../api/role.ts'
import { packRules } from '../rules/address.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Tile, Tiles } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { count, duration, number } from '../ui/format.ts'
import { Progress } from '../ui/progress.tsx'
import { StateMark } from '../ui/state.tsx'
import { columnNames, flawCount, RowErrors } from './row-errors.tsx'

/** The tag or list that an import gave its people; null without either. */
function broughtIn(options: Import['options']): { field: 'tag' | 'list'; id: number } | null {
  const [tag, list] = [options?.tag_ids?.[0], options?.list_ids?.[0]]
  return tag !== undefined ? { field: 'tag', id: tag } : list !== undefined ? { field: 'list', id: list } : null
}

/** The filter for the people of an import; empty without a tag or list, which means all contacts. */
function filterOf(options: Import['options']): string {
  const given = broughtIn(options)
  if (given === null) return ''
  return packRules({ op: 'and', rules: [{ field: given.field, operator: 'in', value: [given.id] }] })
}

/** Others may have the tag or be on the list as well, so the links name that and not the import. */
const LINK_WORDS = {
  tag: { see: 'See everybody with this tag', write: 'Write to everybody with this tag' },
  list: { see: 'See everybody on the list', write: 'Write to the list' },
  none: { see: 'See all contacts', write: 'New campaign' },
}

/** A new campaign to the people of an import. */
function campaignTo(options: Import['options']): string {
  const given = broughtIn(options)
  return link('/campaigns/new', given === null ? {} : { audience: `${given.field}:${given.id}` })
}

/** The progress of an import, and its result. */
export function Running({ record }: { record: Import }) {
  const { id, status, counters, summary, row_errors, error, options } = record
  const total = summary?.rows ?? counters.processed
  const isRunning = status === 'queued' || status === 'processing'
  const words = LINK_WORDS[broughtIn(options)?.field ?? 'none']
  const [isEnding, setEnding] = useState(false)
  const rate = useRate(counters.processed, isRunning)
  useEffect(() => {
    if (!isRunning) invalidate('contacts/', 'overview', 'imports/list')
  }, [isRunning])
  return (
    <>
      {error !== null && (
        <Callout tone="bad" title="The import stopped.">
          <p>{error}</p>
        </Callout>
      )}
      {isRunning ? (
        <>
          <Progress
            label={status === 'queued' ? 'It begins in a moment' : 'Importing'}
            value={status === 'queued' ? null : counters.processed}
            max={total}
            note={
              rate === null
                ? `${number(counters.processed)} of ${number(total)}`
                : `${number(counters.processed)} of ${number(total)} · ${number(Math.round(rate))} a second · ` +
                  `about ${duration(((total - counters.processed) / rate) * 1000)} left`
            }
          />
          <p class="quiet">You can leave this page. The import goes on.</p>
        </>
      ) : (
        <p>
          <StateMark state={status} /> · {count(counters.processed, 'row was', 'rows were')} read.
        </p>
      )}
      <Tiles>
        <Tile label="New" value={number(counters.created)} />
        <Tile label="Changed" value={number(counters.updated)} />
        <Tile label="Left as they are" value={number(counters.skipped)} />
        <Tile label="Not imported" value={number(counters.failed)} tone={counters.failed > 0 ? 'bad' : undefined} />
      </Tiles>
      {isRunning && can('editor') && (
        <div class="row">
          <Button kind="quiet" onClick={() => setEnding(true)}>
            Stop…
          </Button>
        </div>
      )}
      {status === 'completed' && (
        <div class="row">
          <Button kind="primary" href={link('/contacts', { filter: filterOf(options) })}>
            {words.see}
          </Button>
          {can('editor') && <Button href={campaignTo(options)}>{words.write}</Button>}
        </div>
      )}
      <RowErrors
        isStored={false}
        errors={row_errors}
        total={(flawCount(record.findings) ?? 0) + Math.max(0, counters.failed - (summary?.invalid ?? 0))}
        nameOf={columnNames(record.columns, record.mapping)}
        import_id={id}
      />
      {isEnding && (
        <ConfirmDialog
          title="Stop after what is done?"
          verb={`Leave out ${count(Math.max(0, total - counters.processed), 'row', 'rows')}`}
          danger
          onClose={() => setEnding(false)}
          onConfirm={async () => {
            await mutate('imports/cancel', { import_id: id })
            invalidate('imports/')
          }}
        >
          <p>{count(counters.created, 'person stays', 'people stay')}; the rest is not imported.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Rows a second since the page was opened; null while unknown. */
function useRate(processed: number, isRunning: boolean): number | null {
  const [begun] = useState({ at: performance.now(), processed })
  const seconds = (performance.now() - begun.at) / 1000
  return isRunning && seconds > 1 && processed > begun.processed ? (processed - begun.processed) / seconds : null
}
