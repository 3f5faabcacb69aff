import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import { confirmed } from '../confirm-identity.ts'
import { relayMeaning } from '../relay-words.ts'
import { Button } from '../ui/button.tsx'
import { Callout, Skeleton } from '../ui/callout.tsx'
import { Card, Facts } from '../ui/card.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { PageHead } from '../ui/page.tsx'
import { StatusBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { settingWords } from './setting-labels.ts'

type Answer = RouteResponse<'GET /user/operator/settings'>
type Setting = Answer['settings'][number]

const SOURCES: Record<Setting['source'], string> = {
  default: 'Built in',
  flag: 'Command line',
  environment: 'Environment',
  file: 'File',
}
const KINDS = { relay: 'Through a relay', sandbox: 'Kept in the sandbox mailbox', none: 'Not at all' }

/** "Through a relay smtp.example.com:587, from news@example.com" */
function mailWords({ kind, host, port, from }: Answer['service']['mail']): string {
  return `${KINDS[kind]}${host === null ? '' : ` ${host}:${port}`}, from ${from || 'nobody yet'}`
}

/** The settings that the service uses, with the source of each. They can only be changed at their source. */
export default function Service() {
  const { data, error, reload } = useQuery('/user/operator/settings', (signal) =>
    send('GET /user/operator/settings', {}, { signal }),
  )
  return (
    <>
      <PageHead title="Service" lead="The settings as they are read. They are changed where they come from." />
      {error && <ErrorNote title="The settings could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <>
          <Card title="This service">
            <Facts
              facts={[
                { label: 'Version', value: data.service.version },
                { label: 'Build', value: buildWords(data.service) },
                { label: 'Public address', value: data.service.base_url },
                { label: 'Database', value: data.service.database === 'file' ? 'A file' : 'A libSQL server' },
                {
                  label: 'Own mail leaves',
                  value: mailWords(data.service.mail),
                },
              ]}
            />
            <MailTest />
          </Card>
          <Card title="Settings" flush>
            <Table caption="Settings" rows={data.settings} row_key={({ name }) => name} columns={COLUMNS} dense />
          </Card>
        </>
      )}
    </>
  )
}

/** Sends a test message of the service to the operator, and shows the outcome. */
function MailTest() {
  const [result, setResult] = useState<RouteResponse<'POST /user/operator/mail/test'> | null>(null)
  const test = useAction(() => confirmed(() => sendOnce('POST /user/operator/mail/test', {})), { done: setResult })
  return (
    <div class="stack stack-tight">
      <FlawSummary error={test.error} />
      {result && (
        <Callout
          tone={result.accepted ? 'good' : 'bad'}
          title={result.accepted ? `A message to ${result.recipient} was taken.` : 'The message was not taken.'}
          alert
        >
          {result.error !== null && (
            <p>
              {relayMeaning(result.error)} <span class="address">{result.error}</span>
            </p>
          )}
        </Callout>
      )}
      <div class="row">
        <Button busy={test.busy} onClick={() => void test.run(undefined)}>
          Send me a test
        </Button>
      </div>
    </div>
  )
}

function shownValue({ name, secret, is_set, value }: Setting) {
  if (secret) return is_set ? 'Set, not shown' : 'Not set'
  const raw = String(value ?? '')
  const words = settingWords(name, value)
  if (words === null) return <span class="address">{raw || 'Not set'}</span>
  return (
    <span class="two-lines">
      {words}
      <small class="quiet">{raw}</small>
    </span>
  )
}

const COLUMNS: readonly Column<Setting>[] = [
  {
    id: 'name',
    head: 'Setting',
    card: 'title',
    cell: ({ variable, help }) => (
      <span class="two-lines">
        <code>{variable}</code>
        <small class="quiet">{help}</small>
      </span>
    ),
  },
  {
    id: 'value',
    head: 'Value',
    card: 'line',
    cell: shownValue,
  },
  {
    id: 'source',
    head: 'From',
    card: 'line',
    tight: true,
    cell: ({ source }) => <StatusBadge tone={source === 'default' ? 'quiet' : 'accent'}>{SOURCES[source]}</StatusBadge>,
  },
]

function buildWords({ build, build_date }: { build: string; build_date: string | null }): string {
  return build_date === null ? 'From a checkout' : `${build} of ${build_date}`
}
