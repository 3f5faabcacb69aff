import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { type RouteRequest, send, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { callKey } from '../../../../src/shared/app-document.ts'
import { useQuery } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { dateTime, day, number } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { AddressSearch } from '../../ui/address-search.tsx'
import { StateMark } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Pager } from '../../ui/table-parts.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useLast } from '../people/page-state.ts'
import { POSTS, type PostStatus, type PostSummary } from './content.ts'
import { useProjectZone } from './post-date.ts'
import { POST_STATES } from './post-states.ts'
import { PostTemplates } from './post-templates.tsx'

type Asked = RouteRequest<'POST /project/cms/posts/list'>

const PAGE_SIZE = 50

/** The posts of the site, and their templates. */
export default function Posts({ query }: PageProps) {
  const { route } = useLocation()
  const [isNew, setNew] = useState(false)
  const isLook = query.tab === 'look'
  const create = can('editor') && (
    <Button kind="primary" icon="plus" main onClick={() => setNew(true)}>
      New post
    </Button>
  )
  return (
    <>
      <PageHead
        title="Posts"
        lead={
          can('editor')
            ? 'A published post is on the site at once, with a list, a feed and a site map.'
            : whoMay('Changing posts', 'editor')
        }
        primary={!isLook && create}
      />
      <Tabs
        label="Posts and their look"
        value={isLook ? 'look' : 'posts'}
        onChange={(tab) => route(link('/posts', { tab: tab === 'look' ? tab : null }), true)}
        tabs={[
          { id: 'posts', label: 'Posts' },
          { id: 'look', label: 'Look on the site' },
        ]}
      >
        {isLook ? <PostTemplates /> : <PostList query={query} create={create} />}
      </Tabs>
      {isNew && <NewPost onClose={() => setNew(false)} />}
    </>
  )
}

function PostList({ query, create }: { query: Record<string, string>; create: ComponentChildren }) {
  const { route } = useLocation()
  const status = POST_STATES.find(({ value }) => value === query.status)?.value
  const offset = Math.max(0, Math.floor(Number(query.from) || 0))
  // One more post than is shown, to find out whether there are older ones.
  const asked: Omit<Asked, 'project_id'> = {
    filters: { ...(status && { status }), ...(query.q && { search: query.q }) },
    limit: PAGE_SIZE + 1,
    offset,
  }
  const list = useQuery(callKey(`${POSTS}list`, asked), () =>
    send('POST /project/cms/posts/list', { project_id: projectId(), ...asked }),
  )
  const posts = useLast(list.data)?.posts
  const go = (change: Record<string, string | number | null>) =>
    route(link('/posts', { q: query.q, status, ...change }), true)
  if (list.error && !list.data)
    return <ErrorNote title="Posts could not be loaded." error={list.error} retry={list.reload} />
  return (
    <div class="stack">
      <div class="contacts-bar">
        <AddressSearch label="Search titles" value={query.q ?? ''} onSearch={(q) => go({ q })} />
        <Select
          label="State"
          label_hidden
          placeholder="Any state"
          options={POST_STATES}
          value={status ?? ''}
          onInput={(next) => go({ status: next as PostStatus | '' })}
        />
      </div>
      <Table
        caption="Posts"
        columns={columnsIn(useProjectZone() ?? undefined)}
        rows={posts?.slice(0, PAGE_SIZE) ?? null}
        busy={list.busy}
        row_key={({ id }) => String(id)}
        row_href={({ id }) => link(`/posts/${id}`)}
        empty={
          status || query.q || offset > 0 ? (
            <Empty
              sentence="No post matches."
              action={<Button onClick={() => go({ q: null, status: null })}>Clear filters</Button>}
            />
          ) : (
            <Empty sentence="Posts are the news of your site, and can stand in your letters." action={create} />
          )
        }
      />
      <Pager
        newer={offset > 0}
        older={posts !== undefined && posts.length > PAGE_SIZE}
        onNewer={() => go({ from: Math.max(0, offset - PAGE_SIZE) || null })}
        onOlder={() => go({ from: offset + PAGE_SIZE })}
      />
    </div>
  )
}

const columnsIn = (zone: string | undefined): readonly Column<PostSummary>[] => [
  { id: 'title', head: 'Title', card: 'title', cell: ({ title }) => title },
  { id: 'state', head: 'State', tight: true, cell: ({ status }) => <StateMark state={status} /> },
  { id: 'date', head: 'Date', tight: true, cell: (post) => dateOf(post, zone) },
  { id: 'author', head: 'Author', cell: ({ author }) => author },
  { id: 'tags', head: 'Tags', cell: ({ tags }) => tags.join(', ') },
  { id: 'words', head: 'Words', align: 'end', cell: ({ word_count }) => number(word_count) },
  { id: 'changed', head: 'Changed', tight: true, cell: ({ last_update }) => day(last_update) },
]

/** A scheduled post is shown with its time, in the zone of the project. */
function dateOf({ status, published_at }: PostSummary, zone: string | undefined): string {
  if (published_at === null) return ''
  return status === 'scheduled' ? dateTime(published_at, zone) : day(published_at, zone)
}

/** Creates a draft, and opens it. */
function NewPost({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const [title, setTitle] = useState('')
  const make = useAction(
    () => sendOnce('POST /project/cms/posts/create', { project_id: projectId(), title: title.trim() }),
    {
      invalidates: [POSTS],
      done: ({ post }) => route(link(`/posts/${post.id}`)),
    },
  )
  return (
    <FormDialog
      title="New post"
      verb="Make a draft"
      busy={make.busy}
      error={make.error}
      missing={title.trim() === '' ? 'Write the title first.' : null}
      onSubmit={() => void make.run(undefined)}
      onClose={onClose}
    >
      <TextField
        label="Title"
        flaw={make.error?.flawOf('/title')}
        required
        maxlength={300}
        autocomplete="off"
        value={title}
        onInput={setTitle}
      />
    </FormDialog>
  )
}
