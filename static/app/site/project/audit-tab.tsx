import { useLocation } from 'preact-iso'
import { callKey } from '../../../../src/shared/app-document.ts'
import { type RouteRequest, type RouteResponse, send } from '../../api/calls.ts'
import { data as documentData, projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { dateTime } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { keyPages } from '../../ui/key-pages.ts'
import { Pager } from '../../ui/table-parts.tsx'
import { type Names, useNames, whoOf } from './audit-names.ts'
import { actionWords, detailWords, SOUGHT, targetWords } from './audit-labels.ts'

type Query = Record<string, string>
type Row = RouteResponse<'POST /project/audit/list'>['items'][number]

/** The audit log of the project, newest first. */
export function AuditTab({ query }: { query: Query }) {
  const { route } = useLocation()
  const body = requestOf(query)
  const { data, error, busy, reload } = useQuery(callKey('/project/audit/list', body), () =>
    send('POST /project/audit/list', body),
  )
  const names = useNames()
  const { who = '', what = '', from = '', to = '' } = query
  const filter = { who, what, from, to }
  const show = (change: Query) => route(link('/activity', { tab: 'people', ...filter, ...change }))
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <div class="stack">
      <div class="filters">
        <Select
          label="Who"
          value={who}
          placeholder="Anybody"
          options={[...(names ?? [])].map(([value, label]) => ({ value, label }))}
          onInput={(value) => show({ who: value })}
        />
        <Select
          label="What"
          value={what}
          placeholder="Anything"
          options={SOUGHT.map((value) => ({ value, label: actionWords(value) }))}
          onInput={(value) => show({ what: value })}
        />
        <TextField label="From" type="date" value={from} onInput={(value) => show({ from: value })} />
        <TextField label="Until" type="date" value={to} onInput={(value) => show({ to: value })} />
        {isFiltered && (
          <Button kind="quiet" href={link('/activity', { tab: 'people' })}>
            Clear filters
          </Button>
        )}
      </div>
      {error ? (
        <ErrorNote title="The log could not be loaded." error={error} retry={reload} />
      ) : (
        <Card flush>
          <Table
            caption="Who did what"
            columns={columns(names, data?.names ?? {})}
            rows={data?.items ?? null}
            busy={busy}
            row_key={({ id }) => String(id)}
            empty={
              isFiltered ? (
                <Empty
                  sentence="Nothing matches."
                  action={<Button href={link('/activity', { tab: 'people' })}>Clear filters</Button>}
                />
              ) : (
                <Empty sentence="Every change of the project is written down here, and by whom." />
              )
            }
          />
        </Card>
      )}
      <Pager
        {...keyPages({ cursor: query.after, next: data?.next_cursor, go: (after) => show({ after: after ?? '' }) })}
      />
    </div>
  )
}

function requestOf({ who, what, from, to, after }: Query): RouteRequest<'POST /project/audit/list'> {
  const end = to ? new Date(`${to}T00:00`) : null
  end?.setDate(end.getDate() + 1)
  return {
    project_id: projectId(),
    limit: 50,
    ...(who ? { actor: who } : {}),
    ...(what ? { action: what } : {}),
    ...(from ? { from: new Date(`${from}T00:00`).toISOString() } : {}),
    ...(end ? { to: end.toISOString() } : {}),
    ...(after ? { cursor: after } : {}),
  }
}

function columns(names: Names | null, found: Readonly<Record<string, string>>): Column<Row>[] {
  return [
    {
      id: 'what',
      head: 'What',
      card: 'title',
      cell: ({ action, details, outcome }) => (
        <span class="person">
          <span>
            {actionWords(action)} {outcome === 'refused' && <StatusBadge tone="bad">Refused</StatusBadge>}
          </span>
          <Details words={detailWords(details, found)} />
        </span>
      ),
    },
    { id: 'target', head: 'Of', cell: (row) => targetOf(row, found) },
    { id: 'who', head: 'Who', cell: ({ actor }) => <span title={actor}>{whoOf(actor, names, found)}</span> },
    {
      id: 'ip',
      head: 'From',
      card: 'hidden',
      tight: true,
      cell: ({ ip }) => <span class="quiet number">{ip ?? ''}</span>,
    },
    { id: 'at', head: 'When', tight: true, cell: ({ at }) => dateTime(at) },
  ]
}

function Details({ words }: { words: string }) {
  return words === '' ? null : <span class="quiet small address">{words}</span>
}

function targetOf({ target, details }: Row, found: Readonly<Record<string, string>>) {
  if (target === null || target === `project:${documentData.project!.id}`) return null
  const { text, path } = targetWords(target, found, details)
  return path === null ? (
    <span title={target}>{text}</span>
  ) : (
    <a href={link(path)} title={target}>
      {text}
    </a>
  )
}
