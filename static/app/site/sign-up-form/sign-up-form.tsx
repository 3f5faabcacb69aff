import { useLocation } from 'preact-iso'
import { projectId } from '../../api/data.ts'
import { send } from '../../api/calls.ts'
import type { List, SignUpForm } from '../../api/operations.d.ts'
import { useQuery } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { useEvery } from '../../rules/every.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Callout, Empty, Skeleton } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { FormEditor } from './form-editor.tsx'
import { FormShare } from './form-share.tsx'

const BACK = { href: link('/lists'), label: 'Lists & tags' }
const NEW = 'new'

/** The sign-up forms of a list: pages, and HTML for a site. */
export default function SignUpFormPage({ params, query }: PageProps) {
  const lists = useEvery('lists/list', { include_archived: true })
  const forms = useQuery('/project/sign-up-forms/list', (signal) =>
    send('POST /project/sign-up-forms/list', { project_id: projectId() }, { signal }),
  )
  const error = lists.error ?? forms.error
  const list = lists.data?.find(({ id }) => String(id) === params.id)
  if (error && !(lists.data && forms.data)) {
    return (
      <>
        <PageHead title="Sign-up form" back={BACK} />
        <ErrorNote
          title="The form could not be loaded."
          error={error}
          retry={() => {
            lists.reload()
            forms.reload()
          }}
        />
      </>
    )
  }
  if (!lists.data || !forms.data) {
    return (
      <>
        <PageHead title="Sign-up form" back={BACK} />
        <Skeleton rows={6} />
      </>
    )
  }
  if (!list) {
    return (
      <>
        <PageHead title="Sign-up form" back={BACK} />
        <Empty
          sentence="There is no such list. It may have been deleted, or belongs to another project."
          action={<Button href={link('/lists')}>All lists</Button>}
        />
      </>
    )
  }
  const ofList = forms.data.forms.filter(({ list_ids }) => list_ids.includes(list.id))
  return <Forms key={list.id} list={list} lists={lists.data} forms={ofList} wanted={query.form} />
}

interface FormsProps {
  list: List
  lists: readonly List[]
  /** The forms of this list. */
  forms: readonly SignUpForm[]
  wanted: string | undefined
}

function Forms({ list, lists, forms, wanted }: FormsProps) {
  const { route } = useLocation()
  const isEditor = can('editor')
  const shown = wanted === NEW ? null : (forms.find(({ id }) => id === wanted) ?? forms[0] ?? null)
  const go = (id: string) => route(link(`/lists/${list.id}/form`, { form: id }), true)
  const parts = (
    <div class="halves">
      {isEditor && <FormEditor key={shown?.id ?? NEW} form={shown} list={list} lists={lists} onSaved={go} />}
      {shown ? (
        <FormShare form={shown} />
      ) : (
        <Empty sentence="When the form is made, its page and the HTML for your site stand here." />
      )}
    </div>
  )
  return (
    <>
      <PageHead
        title={`Sign-up form of “${list.name}”`}
        back={BACK}
        lead={
          isEditor
            ? 'A page of its own, and HTML for any site. What people agree to is kept here, word for word.'
            : whoMay('Changing forms', 'editor')
        }
        secondary={
          isEditor &&
          forms.length > 0 &&
          shown !== null && (
            <Button icon="plus" onClick={() => go(NEW)}>
              Another form
            </Button>
          )
        }
      />
      <div class="stack">
        {list.archived && (
          <Callout tone="wait" title="This list is archived: nobody can join it by a form until it is brought back." />
        )}
        {forms.length === 0 && !isEditor ? (
          <Empty sentence="There is no form for this list yet." />
        ) : forms.length > 1 || (forms.length === 1 && shown === null) ? (
          <Tabs
            label="Forms of this list"
            tabs={[
              ...forms.map(({ id, name }) => ({ id, label: name })),
              ...(shown === null ? [{ id: NEW, label: 'New form' }] : []),
            ]}
            value={shown?.id ?? NEW}
            onChange={go}
          >
            {parts}
          </Tabs>
        ) : (
          parts
        )}
      </div>
    </>
  )
}
