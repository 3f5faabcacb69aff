import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { send, sendOnce } from '../../api/calls.ts'
import { data, projectId } from '../../api/data.ts'
import { invalidate } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Switch } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { PageHead } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { CodePane } from './code-pane.tsx'
import { PAGES, usePage, type WholePage } from './content.ts'
import { Crossing } from '../../code/crossing.tsx'
import { type Stored, useDraft } from '../../code/draft.ts'
import { Recovered } from '../../code/recovered.tsx'
import { SaveBar } from '../../code/save-bar.tsx'
import { useSave } from '../../code/use-save.ts'

interface Fields {
  path: string
  title: string
  html: string
  published: boolean
}

const BACK = { href: link('/pages'), label: 'Pages' }

/** One page of the site, or a new one. */
export default function PageEditor({ params }: PageProps) {
  const id = params.id === undefined ? null : Number(params.id)
  const { data: answer, error, reload } = usePage(id)
  if (id === null) return <Editor page={null} />
  if (answer) return <Editor key={id} page={answer.page} />
  return (
    <>
      <PageHead title="Page" back={BACK} />
      {error ? <ErrorNote title="The page could not be loaded." error={error} retry={reload} /> : <Skeleton rows={8} />}
    </>
  )
}

function Editor({ page }: { page: WholePage | null }) {
  const { route } = useLocation()
  const isEditor = can('editor')
  const [isDeleting, setDeleting] = useState(false)
  const draft = useDraft(draftKey(page?.id ?? 'new'), page ? stored(page) : { value: newPage(), at: null })
  const { path, title, html, published } = draft.value
  const { save, itself, error, refusal, theirs, chosen } = useSave<Fields>({
    draft,
    invalidates: [PAGES],
    async save(value, expected) {
      const project_id = projectId()
      if (page) {
        const changes = { ...value, expected_updated_at: expected ?? undefined }
        return stored((await sendOnce('POST /project/pages/update', { project_id, page_id: page.id, ...changes })).page)
      }
      const made = await sendOnce('POST /project/pages/create', { project_id, ...value })
      route(link(`/pages/${made.page.id}`), true)
      return { ...stored(made.page), key: draftKey(made.page.id) }
    },
    load: async () =>
      page && stored((await send('POST /project/pages/get', { project_id: projectId(), page_id: page.id })).page),
    savesItself: (value, saved) => page !== null && !value.published && !saved.published,
    done: () => toast({ text: page ? 'The page is saved.' : 'The page is made.', tone: 'good' }),
  })
  const address = page && draft.stored.value.published ? page.url : null
  return (
    <>
      <PageHead
        title={page ? page.title : 'New page'}
        back={BACK}
        lead={isEditor ? undefined : whoMay('Changing pages', 'editor')}
        secondary={
          <>
            {address && (
              <Button href={address} icon="external">
                Open on the site
              </Button>
            )}
            {page && isEditor && (
              <Button icon="trash" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            )}
          </>
        }
      />
      <div class="stack">
        <Recovered draft={draft} />
        <Crossing draft={draft} error={error} theirs={theirs} onChosen={chosen} />
        <div class="code-fields">
          <TextField
            label="Title"
            hint="For lists here; visitors see the title in the HTML."
            maxlength={300}
            readonly={!isEditor}
            value={title}
            flaw={refusal?.flawOf('/title')}
            onInput={(value) => draft.change({ title: value })}
          />
          <TextField
            label="Path"
            hint="Begins with a slash. “/” is the home page, “/404” answers unknown addresses."
            dir="ltr"
            spellcheck={false}
            autocapitalize="none"
            readonly={!isEditor}
            value={path}
            flaw={refusal?.flawOf('/path')}
            onInput={(value) => draft.change({ path: value })}
          />
          <Switch
            label="On the site"
            hint="Off: only members see it, here."
            disabled={!isEditor}
            checked={published}
            onChange={(value) => draft.change({ published: value })}
          />
        </div>
        <CodePane
          label="HTML of the page"
          value={html}
          readonly={!isEditor}
          onInput={(value) => draft.change({ html: value })}
          preview={html}
        />
        {isEditor && (
          <SaveBar
            save={save}
            draft={draft}
            itself={itself}
            isNew={page === null}
            verb={page ? 'Save' : 'Make the page'}
          />
        )}
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete “${page!.title}”?`}
          verb="Delete the page"
          danger
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await sendOnce('POST /project/pages/delete', { project_id: projectId(), page_id: page!.id })
            draft.restart(draft.stored)
            invalidate(PAGES)
            toast({ text: `“${page!.title}” is deleted.` })
            route(link('/pages'))
          }}
        >
          <p>
            <code>{page!.path}</code> answers with “not found” from now on. The page cannot be brought back.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function draftKey(id: number | 'new'): string {
  return `page ${id}`
}

function stored({ path, title, html, published, last_update }: WholePage): Stored<Fields> {
  return { value: { path, title, html, published }, at: last_update }
}

function newPage(): Fields {
  const language = document.documentElement.lang || 'en'
  const html = `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${data.project!.name.replace(/[<&]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;'))}</title>
  </head>
  <body>
    <h1>Hello</h1>
  </body>
</html>
`
  return { path: '/', title: '', html, published: true }
}
