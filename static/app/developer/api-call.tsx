import { signal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { type Call, type CallGroup, typedName } from '../../../src/shared/calls.ts'
import type { SnippetCall } from '../../../src/shared/snippets.ts'
import { newKey } from '../api/calls.ts'
import { data } from '../api/data.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { ErrorNote, type ErrorLike, errorOf } from '../ui/error-note.tsx'
import { Select, TextArea, TextField } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Answer, ForPrograms } from './api-answer.tsx'
import { BodyForm } from './api-form.tsx'
import { isValues, type Values } from './api-shapes.ts'
import { filledPath, type Tried, tryCall } from './try-call.ts'

/** Whether the user agreed, during this visit, that calls may change data. */
const isAgreed = signal(false)
/** An API key or access token that the user pasted. It is kept in this document only. */
const pasted = signal('')

interface ApiCallProps {
  call: Call
  group: CallGroup
  /** The project that the address names. */
  project?: string
}

/** One call: its input, a request to try, its response, and code that makes it. */
export function ApiCall({ call, group, project }: ApiCallProps) {
  const { route } = useLocation()
  const named = projectField(call)
  const project_id = project ?? data.projects[0]?.id ?? ''
  const [text, setText] = useState(() => firstBody(call))
  const [values, setValues] = useState<Record<string, string>>({})
  const [key, setKey] = useState(newKey)
  const [isByKey, setByKey] = useState(call.auth === 'oauth2')
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState<Tried | null>(null)
  const [error, setError] = useState<ErrorLike | null>(null)
  const written = call.body === null ? {} : objectIn(text)
  const asks = named !== null && !(isByKey && call.auth === 'key')
  const keyed = call.needs_key ? { idempotency_key: key } : {}
  const filled = { ...values, ...(asks && named.in !== 'body' && { [named.name]: project_id }) }
  const inBody = asks && named.in === 'body' ? { [named.name]: project_id } : {}

  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      const credential = isByKey ? pasted.value.trim() : null
      const body = call.body === null ? null : { ...inBody, ...keyed, ...written }
      setTried(await tryCall({ call, credential, values: filled, body }))
    } catch (cause) {
      setError(errorOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const changes = call.auth === 'key' ? call.needs_key : call.method !== 'GET'
  const begin = () => {
    if (changes && !isAgreed.value) setAsking(true)
    else void send()
  }
  const copied = whyCopied(call)
  const reason = whyNot({ call, written, credential: isByKey ? pasted.value : null, values: filled, asks, project_id })
  const projectName = data.projects.find(({ id }) => id === project_id)?.name ?? 'the service'
  return (
    <>
      <h2 class="api-name">{call.name}</h2>
      <p>{call.summary}</p>
      <p class="quiet">{call.description.replaceAll('`', '')}</p>
      <p>
        <a href={`${group.href}#${call.anchor}`}>Answer and errors in the reference</a>
      </p>
      <div class="api-try">
        <Card title="Request">
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              begin()
            }}
          >
            {copied === null ? (
              <Credential call={call} isByKey={isByKey} onChange={setByKey} />
            ) : (
              <Callout title="It can only be copied.">
                <p>{copied}</p>
              </Callout>
            )}
            {asks && data.projects.length > 0 && (
              <Select
                label="Project"
                value={project_id}
                onInput={(id) => route(link('/api', { operation: call.name, project: id }), true)}
                options={data.projects.map(({ id, name: label }) => ({ value: id, label }))}
              />
            )}
            {call.parameters
              .filter(({ name }) => name !== named?.name)
              .map(({ name, required, description }) => (
                <TextField
                  key={name}
                  label={required ? `${name} (required)` : name}
                  hint={description}
                  value={values[name] ?? ''}
                  onInput={(value) => setValues({ ...values, [name]: value })}
                />
              ))}
            {isJson(call) && (
              <TextArea
                label="Body"
                mono
                rows={8}
                value={text}
                onInput={setText}
                spellcheck={false}
                flaw={written === null ? 'This is no JSON object.' : null}
              />
            )}
            {call.needs_key && (
              <div class="row api-key">
                <TextField label="Idempotency key" value={key} onInput={setKey} />
                <Button small onClick={() => setKey(newKey())}>
                  New key
                </Button>
              </div>
            )}
            {copied === null && (
              <div>
                <Button kind="primary" type="submit" main busy={busy} disabled_reason={reason}>
                  Try it
                </Button>
              </div>
            )}
          </form>
        </Card>
        {isJson(call) && (
          <BodyForm
            schema={call.body!}
            schemas={group.schemas}
            value={written ?? {}}
            onChange={(value) => setText(JSON.stringify(value, null, 2))}
          />
        )}
      </div>
      {error && <ErrorNote title="There is no answer." error={error} />}
      {tried && <Answer tried={tried} />}
      <ForPrograms
        snippet={{
          ...{ method: call.method, url: data.base_url + filledPath(call, filled), auth: call.auth, ...keyed },
          body: call.body === null ? null : { ...(call.auth === 'key' ? {} : inBody), ...written },
          file_type: isJson(call) ? null : call.body_type,
          ...typedCall(call, filled),
        }}
      />
      {isAsking && (
        <ConfirmDialog
          title={`This changes real data of ${projectName}`}
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

/** The credentials that the call is tried with. */
function Credential({ call, isByKey, onChange }: { call: Call; isByKey: boolean; onChange(by_key: boolean): void }) {
  const what = call.auth === 'oauth2' ? 'Access token' : 'API key'
  return (
    <>
      {call.auth === 'key' && (
        <Select
          label="Credential"
          value={isByKey ? 'key' : 'session'}
          onInput={(value) => onChange(value === 'key')}
          options={[
            { value: 'session', label: 'My session' },
            { value: 'key', label: 'An API key' },
          ]}
        />
      )}
      {isByKey && (
        <PasswordField
          label={what}
          autocomplete="off"
          hint="It is kept in this tab until you close or reload it."
          value={pasted.value}
          onInput={(value) => (pasted.value = value)}
        />
      )}
    </>
  )
}

interface Attempt {
  call: Call
  written: Values | null
  credential: string | null
  values: Readonly<Record<string, string>>
  asks: boolean
  project_id: string
}

/** Why a call cannot be tried here at all; null when it can. */
function whyCopied(call: Call): string | null {
  if (call.auth === 'client')
    return 'A client calls this with its secret, which belongs on a server and in no browser. Send it from there.'
  const isFile = call.body !== null && call.body_type !== null && !isJson(call)
  return isFile ? 'Its body is a file, and this page sends JSON. Send it by a program.' : null
}

/** Why a call cannot be tried now; null when it can. */
function whyNot({ call, written, credential, values, asks, project_id }: Attempt): string | null {
  if (written === null) return 'Write the body as a JSON object.'
  if (asks && project_id === '') return 'You are in no project, so there is nothing to try it with.'
  if (credential?.trim() === '') return call.auth === 'oauth2' ? 'Paste an access token.' : 'Paste an API key.'
  const missing = call.parameters.find(({ name, required }) => required && !values[name])
  return missing ? `Give ${missing.name}.` : null
}

/** The call for the typed client, with the values of its path and query. */
function typedCall(call: Call, values: Readonly<Record<string, string>>): Pick<SnippetCall, 'typed'> {
  const name = typedName(call)
  if (name === null) return {}
  const given = (place: string) =>
    Object.fromEntries(
      call.parameters
        .filter((parameter) => parameter.in === place && values[parameter.name])
        .map((parameter) => [parameter.name, values[parameter.name]]),
    )
  return { typed: { base_url: data.base_url, name, params: given('path'), query: given('query') } }
}

function isJson({ body, body_type }: Call): boolean {
  return body !== null && (body_type?.includes('json') ?? false)
}

/** Where the call names its project, which the page fills in. */
function projectField({ auth, body, parameters }: Call): { name: string; in: string } | null {
  if (auth === 'key' || body?.properties?.project_id) return { name: 'project_id', in: 'body' }
  return parameters.find(({ name }) => name === 'project_id' || name === 'projectId') ?? null
}

/** An example of the body, without what the page fills in. */
function firstBody({ body, example }: Call): string {
  if (body === null) return ''
  const shown = Object.entries(isValues(example) ? example : {}).filter(([name]) => name !== 'project_id')
  return JSON.stringify(Object.fromEntries(shown), null, 2)
}

function objectIn(text: string): Values | null {
  try {
    const value: unknown = JSON.parse(text)
    return isValues(value) ? value : null
  } catch {
    return null
  }
}
