import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { send, sendOnce } from '../api/calls.ts'
import { invalidate, useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Code, CopyButton } from '../ui/code.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { Crossing } from '../code/crossing.tsx'
import { type Stored, useDraft } from '../code/draft.ts'
import { Recovered } from '../code/recovered.tsx'
import { CodeEditor } from '../code/editor.tsx'
import { unsaved } from '../code/save-bar.tsx'
import { useSaveKey } from '../code/save-key.ts'
import { useSave } from '../code/use-save.ts'
import { bytes, clock } from '../ui/format.ts'
import { useSubject } from '../page-subject.ts'
import { PageHead } from '../ui/page.tsx'
import { PageWaiting } from '../ui/page-waiting.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useLater } from '../ui/use-later.ts'
import { APPS, type Script, useRendered, useVersions } from '../app-review/app-data.ts'
import { ScriptFrame } from '../app-review/script-frame.tsx'
import { PLACEMENTS, TYPES } from './scripts.tsx'

const MAX_BYTES = 64 * 1024
const PAUSE_MS = 400

/** One script: its code, sample values for its placeholders, and a preview on a page. */
export default function ScriptPage({ params }: PageProps) {
  const id = params.id!
  const scriptId = Number(params.scriptId)
  const { data, error, reload } = useQuery(`${APPS}/${id}/scripts/${scriptId}`, (signal) =>
    send('GET /user/developer/apps/:id/scripts/:scriptId', {}, { params: { id, scriptId }, signal }),
  )
  useSubject(data?.script.name)
  if (error || !data)
    return <PageWaiting title="Script" error={error} failure="The script could not be loaded." retry={reload} />
  return <Editor key={data.script.id} app_id={id} script={data.script} isOnPages={data.on_pages} />
}

type Tab = 'rendered' | 'page' | 'parameters'

function Editor({ app_id, script, isOnPages }: { app_id: string; script: Script; isOnPages: boolean }) {
  const { route } = useLocation()
  const draft = useDraft(`script ${script.id}`, stored(script))
  const { name, type, placement, code, parameters } = draft.value
  const [tab, setTab] = useState<Tab>('page')
  const [isDeleting, setDeleting] = useState(false)
  const asked = JSON.stringify({ code, parameters: given(parameters), parameter_formats: script.parameter_formats })
  const answer = useRendered(app_id, useLater(asked, PAUSE_MS))
  // The last answer stays visible while the next one loads.
  const last = useRef(answer.data)
  last.current = answer.data ?? last.current
  const rendered = last.current
  const problem = rendered?.problem_at ? { ...rendered.problem_at, message: rendered.problem ?? '' } : null
  const keys = rendered?.keys ?? Object.keys(parameters)
  const params = { id: app_id, scriptId: script.id }
  const cached = `${APPS}/${app_id}/scripts`
  const { save, itself, error, refusal, theirs, chosen } = useSave<Fields>({
    draft,
    invalidates: [cached],
    async save(value, expected, bySelf) {
      // A value whose placeholder is being renamed stays until the user saves.
      const kept = Object.entries(given(value.parameters)).filter(
        ([key]) => bySelf || value.code.includes(`{{${key}}}`),
      )
      const conditions = { expected_updated_at: expected ?? undefined, ...(bySelf ? { unless_on_pages: true } : {}) }
      const answer = await sendOnce(
        'PATCH /user/developer/apps/:id/scripts/:scriptId',
        { ...value, parameters: Object.fromEntries(kept), ...conditions },
        { params },
      )
      return stored(answer.script)
    },
    async load() {
      // Whether pages run it may have changed as well.
      invalidate(cached)
      return stored((await send('GET /user/developer/apps/:id/scripts/:scriptId', {}, { params })).script)
    },
    savesItself: () => !isOnPages,
  })
  useSaveKey(() => void save.run(undefined))
  const size = new Blob([code]).size
  return (
    <>
      <PageHead
        title={name || 'Script'}
        lead={
          <>
            ID <code>{script.id}</code> <CopyButton label="Copy ID" text={String(script.id)} /> {bytes(size)} of{' '}
            {bytes(MAX_BYTES)} · {draft.isChanged ? unsaved(itself) : `Saved ${clock(draft.stored.at!)}`}
          </>
        }
        back={{ href: link(`/apps/${app_id}/scripts`), label: 'Scripts' }}
        secondary={
          <Button kind="quiet" icon="trash" onClick={() => setDeleting(true)}>
            Delete…
          </Button>
        }
        primary={
          <Button kind="primary" main busy={save.busy} onClick={() => void save.run(undefined)}>
            Save
          </Button>
        }
      />
      <WhatSitesRun app_id={app_id} isOnPages={isOnPages} />
      <Recovered draft={draft} />
      <Crossing draft={draft} error={error} theirs={theirs} onChosen={chosen} />
      <div class="halves">
        <div class="stack">
          <TextField
            label="Name"
            flaw={refusal?.flawOf('/name')}
            maxlength={25}
            value={name}
            onInput={(value) => draft.change({ name: value })}
          />
          <div class="halves">
            <Select
              label="Type"
              value={type}
              onInput={(value) => draft.change({ type: value as Script['type'] })}
              options={TYPES.map((value) => ({ value, label: value }))}
            />
            <Select
              label="Placement"
              value={placement}
              onInput={(value) => draft.change({ placement: value as Script['placement'] })}
              options={PLACEMENTS.map((value) => ({ value, label: value }))}
            />
          </div>
          <CodeEditor
            label="Code"
            language="html"
            marked={PLACEHOLDER}
            problem={problem}
            value={code}
            onInput={(value) => draft.change({ code: value })}
          />
        </div>
        <Tabs
          label="Trial"
          tabs={[
            { id: 'rendered', label: 'Rendered' },
            { id: 'page', label: 'In a page' },
            { id: 'parameters', label: 'Parameters', count: keys.length },
          ]}
          value={tab}
          onChange={setTab}
        >
          <div class="stack">
            {answer.error && <ErrorNote title="The script could not be rendered." error={answer.error} />}
            {rendered?.problem && (
              <Callout tone="wait" title="It cannot be saved like this.">
                <p>{rendered.problem}</p>
              </Callout>
            )}
            {tab === 'rendered' && rendered && (
              <Code label="As sites get it" text={rendered.code} wrap>
                {rendered.code
                  .split(UNFILLED)
                  .map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
              </Code>
            )}
            {tab === 'page' && rendered && (
              <ScriptFrame
                key={rendered.code}
                label={`${name}, on a sample page`}
                code={rendered.code}
                placement={placement}
              />
            )}
            {tab === 'parameters' &&
              (keys.length === 0 ? (
                <p class="quiet">The code names no parameter. Write one as {'{{key}}'}, without spaces.</p>
              ) : (
                keys.map((key) => (
                  <TextField
                    key={key}
                    label={key}
                    hint="The value where a site gives none."
                    value={parameters[key] ?? ''}
                    onInput={(value) => draft.change({ parameters: { ...draft.value.parameters, [key]: value } })}
                  />
                ))
              ))}
          </div>
        </Tabs>
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${script.name}?`}
          verb="Delete 1 script"
          danger
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await sendOnce('DELETE /user/developer/apps/:id/scripts/:scriptId', {}, { params })
            draft.restart(draft.stored)
            invalidate(`${APPS}/${app_id}/scripts`)
            route(link(`/apps/${app_id}/scripts`), true)
          }}
        >
          <p>It is gone from the next version. Sites run it until that is approved.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Which version sites run while the author edits, and whether a change needs a press of Save to reach pages. */
function WhatSitesRun({ app_id, isOnPages }: { app_id: string; isOnPages: boolean }) {
  const versions = useVersions(app_id).data?.versions
  if (!versions) return null
  const live = versions.find((version) => version.live)
  return (
    <p class="quiet">
      {live ? (
        <>
          Sites run <a href={link(`/apps/${app_id}/versions/${live.id}`)}>version {live.number}</a> until a new version
          is approved.
        </>
      ) : (
        'The sites of the team get what is saved. Others get it once a version is approved.'
      )}{' '}
      {isOnPages
        ? 'Pages run this draft now, so it changes only when you press Save.'
        : 'No page runs this draft, so it saves itself while you write.'}
    </p>
  )
}

type Fields = Pick<Script, 'name' | 'type' | 'placement' | 'code'> & { parameters: Record<string, string> }

function stored({ name, type, placement, code, parameters, last_update }: Script): Stored<Fields> {
  const texts = Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, String(value ?? '')]))
  return { value: { name, type, placement, code, parameters: texts }, at: last_update }
}

/** The parameters that have a value. A placeholder without one stays in the code. */
function given(parameters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''))
}

const PLACEHOLDER = /\{\{[\w.-]{1,64}\}\}/g
/** Placeholders without a value: after a split, every second part is one. */
const UNFILLED = new RegExp(`(${PLACEHOLDER.source})`)
