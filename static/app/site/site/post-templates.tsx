import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { send, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { callKey } from '../../../../src/shared/app-document.ts'
import { invalidate, useQuery } from '../../api/query.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Callout, Skeleton } from '../../ui/callout.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { useLater } from '../../ui/use-later.ts'
import { useLast } from '../people/page-state.ts'
import { CodePane } from './code-pane.tsx'
import { type SiteTemplate, TEMPLATES, useTemplates } from './content.ts'
import { useDraft } from '../../code/draft.ts'
import { Recovered } from '../../code/recovered.tsx'
import { SaveBar } from '../../code/save-bar.tsx'

type Kind = SiteTemplate['kind']

const QUIET_MS = 600

/** The HTML templates for a post and for the list of posts. */
export function PostTemplates() {
  const { data, error, reload } = useTemplates()
  const [kind, setKind] = useState<Kind>('post')
  if (error && !data) return <ErrorNote title="The templates could not be loaded." error={error} retry={reload} />
  const template = data?.templates.find((one) => one.kind === kind)
  if (!template) return <Skeleton rows={8} />
  return (
    <div class="stack">
      <RadioCards
        legend="What is shown"
        legend_hidden
        beside
        value={kind}
        onChange={setKind}
        options={[
          { value: 'post', label: 'A post', hint: 'At /posts/ and the slug. The preview shows the newest one.' },
          { value: 'index', label: 'The list of posts', hint: 'At /posts, the newest first.' },
        ]}
      />
      {!can('editor') && <p class="quiet">Only editors change and try templates.</p>}
      <Template key={kind} template={template} />
    </div>
  )
}

function Template({ template }: { template: SiteTemplate }) {
  const { kind, is_default, html: saved, last_update } = template
  const isEditor = can('editor')
  const [isResetting, setResetting] = useState(false)
  const draft = useDraft(`template ${kind}`, { value: { html: saved }, at: last_update })
  const { html } = draft.value
  const tried = useLater(html, QUIET_MS)
  const preview = useQuery(
    callKey(`${TEMPLATES}preview`, { kind, tried }),
    () => send('POST /project/site-templates/preview', { project_id: projectId(), kind, html: tried }),
    { enabled: isEditor && tried !== '' },
  )
  const shown = useLast(preview.data)?.html ?? null
  const save = useAction(
    async () => {
      const sent = draft.value
      const answer = await sendOnce('POST /project/site-templates/update', { project_id: projectId(), kind, ...sent })
      draft.saved({ value: { html: answer.template.html }, at: answer.template.last_update }, sent)
    },
    { invalidates: [TEMPLATES], done: () => toast({ text: 'The template is saved.', tone: 'good' }) },
  )
  return (
    <div class="stack">
      <Recovered draft={draft} />
      <FlawSummary title="It was not saved." error={save.error} />
      {preview.error && <Callout tone="wait" title={preview.error.message} />}
      <CodePane
        label={kind === 'post' ? 'Template of a post' : 'Template of the list'}
        value={html}
        readonly={!isEditor}
        onInput={(value) => draft.change({ html: value })}
        preview={shown}
      />
      <details>
        <summary>What stands in for a post</summary>
        <p>
          <code>{'{{ post.title }}'}</code>, <code>{'{{ post.content }}'}</code>, <code>{'{{ post.author }}'}</code>,{' '}
          <code>{'{{ post.category }}'}</code>, <code>{'{{ post.excerpt }}'}</code>, <code>{'{{ post.date }}'}</code>,{' '}
          <code>{'{{ post.url }}'}</code>; <code>{'{{ site.name }}'}</code>, <code>{'{{ site.home }}'}</code>,{' '}
          <code>{'{{ site.posts }}'}</code>, <code>{'{{ site.feed }}'}</code>, <code>{'{{ site.color }}'}</code>,{' '}
          <code>{'{{ site.link_color }}'}</code>. In the list, <code>{'{{#posts}} … {{/posts}}'}</code> is repeated for
          each post.
        </p>
      </details>
      {isEditor && (
        <SaveBar save={save} draft={draft}>
          {!is_default && <Button onClick={() => setResetting(true)}>Back to the product’s</Button>}
        </SaveBar>
      )}
      {isResetting && (
        <ConfirmDialog
          title="Back to the product’s template?"
          verb="Drop this template"
          danger
          onClose={() => setResetting(false)}
          onConfirm={async () => {
            const answer = await sendOnce('POST /project/site-templates/reset', { project_id: projectId(), kind })
            draft.restart({ value: { html: answer.template.html }, at: answer.template.last_update })
            invalidate(TEMPLATES)
          }}
        >
          <p>The project’s own HTML is dropped and cannot be brought back. The site changes at once.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
