import { useSignal } from '@preact/signals'
import { calls, type LoggedCall } from '../api/call-log.ts'
import { data } from '../api/data.ts'
import { CopyButton } from '../ui/code.tsx'
import { Drawer } from '../ui/dialog.tsx'
import { Empty } from '../ui/callout.tsx'
import { closePanel } from './panels.ts'

/** The calls of this page, to be repeated from a command line. */
export function CallsDrawer() {
  return (
    <Drawer title="Calls of this page" onClose={closePanel} side="end">
      {calls.value.length === 0 && <Empty sentence="This page has made no call yet." />}
      <ol class="calls">
        {calls.value.map((call) => (
          <Call key={call.id} call={call} />
        ))}
      </ol>
    </Drawer>
  )
}

function Call({ call }: { call: LoggedCall }) {
  const isOpen = useSignal(false)
  const { method, path, request_id, body, answer } = call
  return (
    <li class="call">
      <button type="button" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        <code>
          {method} {publicPath(path)}
        </code>
        <span class="quiet">{outcomeWords(call)}</span>
      </button>
      <p class="quiet">
        <span>{request_id}</span> <CopyButton label="Copy as curl" text={asCurl(call)} />
      </p>
      {isOpen.value && (
        <>
          {body !== undefined && <pre tabIndex={0}>{shorten(body)}</pre>}
          {answer !== undefined && <pre tabIndex={0}>{shorten(answer)}</pre>}
        </>
      )}
    </li>
  )
}

function outcomeWords({ status, ms, came_along }: LoggedCall): string {
  if (came_along) return `${status} · answered with the page`
  return status === null ? 'under way' : `${status || 'no answer'} · ${ms} ms`
}

const DASHBOARD = '/project/newsletter/'
const API = '/general/api/v1/newsletter/'

/** The path at which API keys can call the same operation. Other routes accept a session only. */
function publicPath(path: string): string {
  return path.startsWith(DASHBOARD) ? API + path.slice(DASHBOARD.length) : path
}

const MAX_CHARACTERS = 20_000

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n…` : text
}

/** A command line that makes the same call with an API key, or with a session's cookie where keys are not accepted. */
export function asCurl({ method, path, body }: Pick<LoggedCall, 'method' | 'path' | 'body'>): string {
  const isOperation = path.startsWith(DASHBOARD)
  const parts = [`curl -X ${method} ${quoted(data.base_url + publicPath(path))}`]
  parts.push(isOperation ? '-H "Authorization: $MASTHEAD_KEY"' : '-H "Cookie: $MASTHEAD_COOKIE"')
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'")
    parts.push(`-d ${quoted(JSON.stringify(body))}`)
  }
  return parts.join(' \\\n  ')
}

/** A quoted word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
