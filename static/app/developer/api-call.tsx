import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Call } from '../../../src/http/docs/calls.ts'
import { operationExample } from '../../../src/http/docs/examples.ts'
import { fieldRows, type Schemas } from '../../../src/http/docs/schema-fields.ts'
import { curl, fetchCode, python, type SnippetCall } from '../../../src/http/docs/snippets.ts'
import { newKey } from '../api/calls.ts'
import { data } from '../api/data.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { ErrorNote, type ErrorLike, errorOf } from '../ui/error-note.tsx'
import { Select, TextArea, TextField } from '../ui/field.tsx'
import { number } from '../ui/format.ts'
import { StatusBadge } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type Tried, tryCall } from './try-call.ts'

/** Whether the person agreed, in this visit, that calls change something. */
const isAgreed = signal(false)

interface ApiCallProps {
  call: Call
  schemas: Schemas
  /** The project that is chosen first. */
  project?: string
}

/** One operation: what it takes, a request to try, its answer, and the same call for programs. */
export function ApiCall({ call, schemas, project }: ApiCallProps) {
  const [project_id, setProject] = useState(project ?? data.projects[0]?.id ?? '')
  const [text, setText] = useState(() => JSON.stringify(operationExample(call.name, call.body!, schemas), null, 2))
  const [key, setKey] = useState(newKey)
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState<Tried | null>(null)
  const [error, setError] = useState<ErrorLike | null>(null)
  const body = objectIn(text)
  const keyed = call.needs_key ? { idempotency_key: key } : {}

  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      setTried(await tryCall(call.name, { project_id, ...keyed, ...body }))
    } catch (cause) {
      setError(errorOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const begin = () => {
    if (call.needs_key && !isAgreed.value) setAsking(true)
    else void send()
  }
  const name = data.projects.find(({ id }) => id === project_id)?.name ?? ''
  return (
    <>
      <h2 class="api-name">{call.name}</h2>
      <p>{call.summary}</p>
      <p class="quiet">{call.description.replaceAll('`', '')}</p>
      <div class="api-try">
        <Card title="Request">
          <div class="stack">
            {data.projects.length === 0 ? (
              <Callout>You are in no project, so there is nothing to try it with.</Callout>
            ) : (
              <Select
                label="Project"
                value={project_id}
                onInput={setProject}
                options={data.projects.map(({ id, name: label }) => ({ value: id, label }))}
              />
            )}
            <TextArea
              label="Body"
              mono
              rows={8}
              value={text}
              onInput={setText}
              spellcheck={false}
              flaw={body === null ? 'This is no JSON object.' : null}
            />
            {call.needs_key && (
              <div class="row api-key">
                <TextField label="Idempotency key" value={key} onInput={setKey} />
                <Button small onClick={() => setKey(newKey())}>
                  New key
                </Button>
              </div>
            )}
            <div>
              <Button
                kind="primary"
                main
                busy={busy}
                disabled={data.projects.length === 0 || body === null}
                onClick={begin}
              >
                Try it
              </Button>
            </div>
          </div>
        </Card>
        <Fields call={call} />
      </div>
      {error && <ErrorNote title="There is no answer." error={error} />}
      {tried && <Answer tried={tried} />}
      <ForPrograms
        snippet={{
          ...{ method: 'POST', url: data.base_url + call.path, auth: 'key', ...keyed },
          body: body ?? {},
        }}
      />
      {isAsking && (
        <ConfirmDialog
          title={`This changes ${name}`}
          verb="Send it"
          onConfirm={() => {
            isAgreed.value = true
            void send()
          }}
          onClose={() => setAsking(false)}
        >
          <p>The call is real, and what it does stays. You are asked once in this visit.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function Fields({ call }: { call: Call }) {
  const rows = fieldRows(call.body!).filter(({ name }) => name !== 'project_id' && name !== 'idempotency_key')
  return (
    <Card title="Fields" actions={<a href={`/docs/api/${call.group}#${call.anchor}`}>More in the reference</a>}>
      {rows.length === 0 && <p class="quiet">It takes no fields.</p>}
      <dl class="api-fields">
        {rows.map(({ name, required, type, description, limits }) => (
          <div key={name}>
            <dt>
              <code>{name}</code> {required && <b class="small">required</b>}
            </dt>
            <dd class="small quiet">{[type, limits, description].filter(Boolean).join('. ')}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function Answer({ tried: { status, ms, headers, text } }: { tried: Tried }) {
  return (
    <Card title="Answer">
      <div class="stack" role="status">
        <p class="row">
          <StatusBadge tone={status < 300 ? 'good' : status < 500 ? 'wait' : 'bad'}>{status}</StatusBadge>
          <span class="quiet">{number(ms)} ms</span>
        </p>
        <Code label="Body of the answer" text={text} wrap />
        <details>
          <summary>Headers</summary>
          <Code label="Headers of the answer" text={headers} wrap />
        </details>
      </div>
    </Card>
  )
}

const LANGUAGES = { curl, fetch: fetchCode, python } as const
type Language = keyof typeof LANGUAGES

function ForPrograms({ snippet }: { snippet: SnippetCall }) {
  const [language, setLanguage] = useState<Language>('curl')
  const tabs = [
    { id: 'curl', label: 'curl' },
    { id: 'fetch', label: 'fetch' },
    { id: 'python', label: 'Python' },
  ] as const
  return (
    <Card title="The same call for programs">
      <Tabs<Language> label="Language" tabs={tabs} value={language} onChange={setLanguage}>
        <Code label={`Call by ${language}`} text={LANGUAGES[language](snippet)} wrap />
      </Tabs>
    </Card>
  )
}
