import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { send, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { invalidate } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Callout, Skeleton } from '../../ui/callout.tsx'
import { Code } from '../../ui/code.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { count, dateTime } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { StateMark } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { CodePane } from './code-pane.tsx'
import { POSTS, usePost, type WholePost } from './content.ts'
import { Crossing } from '../../code/crossing.tsx'
import { type Stored, useDraft } from '../../code/draft.ts'
import { Recovered } from '../../code/recovered.tsx'
import { isPublicSoon, publishVerb, useProjectZone } from './post-date.ts'
import { type Fields, PostFields } from './post-fields.tsx'
import { SaveBar } from '../../code/save-bar.tsx'
import { useSave } from '../../code/use-save.ts'

const BACK = { href: link('/posts'), label: 'Posts' }

/** One post of the site. */
export default function PostEditor({ params }: PageProps) {
  const { data: answer, error, reload } = usePost(Number(params.id))
  if (answer) return <Editor post={answer.post} />
  return (
    <>
      <PageHead title="Post" back={BACK} />
      {error ? <ErrorNote title="The post could not be loaded." error={error} retry={reload} /> : <Skeleton rows={8} />}
    </>
  )
}

function Editor({ post }: { post: WholePost }) {
  const { route } = useLocation()
  const isEditor = can('editor')
  const [isDeleting, setDeleting] = useState(false)
  const draft = useDraft(`post ${post.id}`, stored(post))
  const at = { project_id: projectId(), post_id: post.id }
  const { save, itself, error, refusal, theirs, chosen } = useSave<Fields>({
    draft,
    invalidates: [POSTS],
    async save(value, expected) {
      const changes = { ...value, expected_updated_at: expected ?? undefined }
      return stored((await sendOnce('POST /project/cms/posts/update', { ...at, ...changes })).post)
    },
    load: async () => stored((await send('POST /project/cms/posts/get', at)).post),
    savesItself: (value, saved) => !isPublicSoon(value, saved),
    done: () => toast({ text: 'The post is saved.', tone: 'good' }),
  })
  const zone = useProjectZone()
  const preview = useAction(() => send('POST /project/cms/posts/preview', at))
  const [shared, share] = useState<{ url: string; expires_on: string } | null>(null)
  return (
    <>
      <PageHead
        title={post.title}
        back={BACK}
        lead={
          <>
            <StateMark state={draft.stored.value.status} /> ·{' '}
            {isEditor ? count(post.word_count, 'word', 'words') : whoMay('Changing posts', 'editor')}
          </>
        }
        secondary={
          <>
            {post.url ? (
              <Button href={post.url} icon="external">
                Open on the site
              </Button>
            ) : (
              <Button
                icon="eye"
                busy={preview.busy}
                onClick={() => void preview.run(undefined).then((answer) => answer && share(answer))}
              >
                Preview address
              </Button>
            )}
            {isEditor && (
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
        <FlawSummary title="There is no preview address." error={preview.error} />
        {shared && !post.url && (
          <Callout
            title={`Whoever has this address sees the post as it is saved, until ${dateTime(shared.expires_on)}.`}
            actions={<Button href={shared.url}>Open the preview</Button>}
          >
            <Code label="Preview address" text={shared.url} wrap />
          </Callout>
        )}
        <PostFields zone={zone} draft={draft} error={refusal} readonly={!isEditor} />
        <CodePane
          label="Content"
          value={draft.value.content}
          readonly={!isEditor}
          onInput={(content) => draft.change({ content })}
          preview={draft.value.content}
        />
        {isEditor && (
          <SaveBar
            save={save}
            draft={draft}
            itself={itself}
            verb={publishVerb(draft.value, draft.stored.value, zone)}
          />
        )}
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete “${post.title}”?`}
          verb="Delete the post"
          danger
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await sendOnce('POST /project/cms/posts/delete', at)
            draft.restart(draft.stored)
            toast({ text: `“${post.title}” is deleted.` })
            route(link('/posts'))
            invalidate(`${POSTS}list`)
          }}
        >
          <p>It leaves the site and the feed at once, and cannot be brought back. An archived post can.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function stored({ title, slug, status, published_at, author, tags, ...post }: WholePost): Stored<Fields> {
  const { excerpt, content, last_update } = post
  return { value: { title, slug, status, published_at, author, tags, excerpt, content }, at: last_update }
}
