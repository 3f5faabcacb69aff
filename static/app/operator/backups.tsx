import { useSignal } from '@preact/signals'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send } from '../api/calls.ts'
import { ApiError } from '../api/errors.ts'
import { useQuery } from '../api/query.ts'
import { confirmed } from '../confirm-identity.ts'
import { Button } from '../ui/button.tsx'
import { Callout, Empty, Skeleton } from '../ui/callout.tsx'
import { Card, Facts } from '../ui/card.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { bytes, dateTime } from '../ui/format.ts'
import { StatusBadge } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'

type Answer = RouteResponse<'GET /user/operator/backups'>

export const BACKUPS = '/user/operator/backups'

/** The backups of the service: what is wrong with them, which there are, and their files. */
export function Backups() {
  const { data, error, reload } = useQuery(BACKUPS, (signal) => send('GET /user/operator/backups', {}, { signal }))
  return (
    <>
      {error && !data && <ErrorNote title="The backups could not be listed." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={3} />}
      {data && <Listed {...data} />}
    </>
  )
}

function Listed({ state, items }: Answer) {
  const fetched = useSignal('')
  const download = useAction((name: string) => {
    fetched.value = name
    return fetchFile(name)
  })
  return (
    <>
      {state.warning !== null && <Callout tone="wait" title={state.warning} />}
      <FlawSummary title="The backup was not downloaded." error={download.error} />
      <Card title="Backups">
        <Facts
          facts={[
            { label: 'Last proven', value: state.last_proven_on ? dateTime(state.last_proven_on) : 'Never' },
            { label: 'Facts copied', value: state.facts_copied_on ? dateTime(state.facts_copied_on) : 'Never' },
            { label: 'Made', value: state.is_scheduled ? `By itself (${state.schedule})` : 'By hand' },
            { label: 'Place', value: <span class="address">{state.place ?? 'The database server'}</span> },
          ]}
        />
      </Card>
      {state.place !== null && (
        <Card title="Kept backups" flush>
          <Table
            caption="Kept backups"
            rows={items}
            row_key={({ name }) => name}
            empty={<Empty sentence="There is no backup yet." />}
            columns={[
              { id: 'made', head: 'Made', card: 'title', cell: ({ made_on }) => dateTime(made_on) },
              { id: 'size', head: 'Size', card: 'line', align: 'end', cell: ({ size_bytes }) => bytes(size_bytes) },
              {
                id: 'proven',
                head: 'Proven',
                card: 'line',
                cell: ({ proven_on }) =>
                  proven_on === null ? (
                    <StatusBadge tone="bad">Not proven</StatusBadge>
                  ) : (
                    <StatusBadge tone="good">Proven</StatusBadge>
                  ),
              },
              {
                id: 'file',
                head: 'File',
                card: 'line',
                cell: ({ name, made_on }) => (
                  <Button
                    small
                    icon="download"
                    busy={download.busy && fetched.value === name}
                    onClick={() => void download.run(name)}
                  >
                    Download<span class="visually-hidden"> the backup of {dateTime(made_on)}</span>
                  </Button>
                ),
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}

/** A download by the browser shows no dialog, so the person confirms who they are before it. */
async function fetchFile(name: string): Promise<void> {
  await confirmed(async () => {
    const { is_confirmed } = await send('GET /user/security', {})
    if (!is_confirmed) throw new ApiError('CONFIRMATION_REQUIRED', 'Confirm that it is you.', { status: 403 })
  })
  location.assign(`${BACKUPS}/${name}`)
}
