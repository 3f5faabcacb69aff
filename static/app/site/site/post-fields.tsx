import { useState } from 'preact/hooks'
import { send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import type { ApiError } from '../../api/errors.ts'
import { useQuery } from '../../api/query.ts'
import type { Draft } from '../../code/draft.ts'
import { MultiCombobox } from '../../ui/combobox.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { POSTS, type PostStatus, type WholePost } from './content.ts'
import { dateIn } from './post-date.ts'
import { POST_STATES } from './post-states.ts'

type Named = 'title' | 'slug' | 'status' | 'published_at' | 'author' | 'tags' | 'excerpt' | 'content'
export type Fields = Pick<WholePost, Named>

const STATE_HINTS: Record<PostStatus, string> = {
  draft: 'Only a published post is on the site.',
  scheduled: 'It publishes itself at its date.',
  published: 'Visitors see it on the site.',
  archived: 'It is not on the site, and keeps its address and date.',
}

interface PostFieldsProps {
  draft: Draft<Fields>
  /** The time zone of the project; null until it is known. */
  zone: string | null
  error: ApiError | null
  readonly: boolean
}

/** What a post says of itself beside its content. */
export function PostFields({ draft, zone, error, readonly }: PostFieldsProps) {
  const { value, stored, change } = draft
  return (
    <>
      <div class="code-fields">
        <TextField
          label="Title"
          maxlength={300}
          readonly={readonly}
          value={value.title}
          flaw={error?.flawOf('/title')}
          onInput={(title) => change({ title })}
        />
        <TextField
          label="Slug"
          hint={`The post is at /posts/${value.slug}.`}
          dir="ltr"
          spellcheck={false}
          autocapitalize="none"
          readonly={readonly}
          value={value.slug}
          flaw={error?.flawOf('/slug')}
          onInput={(slug) => change({ slug })}
        />
        <Select
          label="State"
          hint={STATE_HINTS[value.status]}
          flaw={error?.flawOf('/status')}
          disabled={readonly}
          options={POST_STATES}
          value={value.status}
          onInput={(chosen) => {
            const status = chosen as PostStatus
            change({ status, published_at: dateIn(status, stored.value) })
          }}
        />
        {value.status !== 'draft' && zone !== null && (
          <DateField draft={draft} zone={zone} flaw={error?.flawOf('/published_at')} disabled={readonly} />
        )}
        <TextField
          label="Author"
          flaw={error?.flawOf('/author')}
          optional
          maxlength={200}
          readonly={readonly}
          value={value.author}
          onInput={(author) => change({ author })}
        />
        <TagsField draft={draft} flaw={error?.flawOf('/tags')} disabled={readonly} />
      </div>
      <TextArea
        label="Excerpt"
        flaw={error?.flawOf('/excerpt')}
        optional
        hint="A sentence or two for lists, feeds and letters."
        rows={2}
        maxlength={2000}
        readonly={readonly}
        value={value.excerpt}
        onInput={(excerpt) => change({ excerpt })}
      />
    </>
  )
}

interface OneFieldProps {
  draft: Draft<Fields>
  flaw: string | null | undefined
  disabled: boolean
}

function DateField({ draft: { value, change }, zone, flaw, disabled }: OneFieldProps & { zone: string }) {
  const [shown, setShown] = useState(zone)
  return (
    <DateTimeField
      label="Date"
      hint={value.status === 'published' && value.published_at === null ? 'Now, unless you choose another.' : null}
      value={value.published_at}
      zone={shown}
      flaw={flaw}
      disabled={disabled}
      onChange={(published_at, next) => {
        setShown(next)
        change({ published_at })
      }}
    />
  )
}

/** Posts whose tags are suggested. */
const SUGGESTING = 50

function TagsField({ draft: { value, change }, flaw, disabled }: OneFieldProps) {
  const { data } = useQuery(`${POSTS}list tags`, () =>
    send('POST /project/cms/posts/list', { project_id: projectId(), limit: SUGGESTING }),
  )
  const known = [...new Set(data?.posts.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b))
  const optionOf = (tag: string) => ({ value: tag, label: tag })
  return (
    <MultiCombobox
      label="Tags"
      optional
      hint="The first is the category."
      flaw={flaw}
      disabled={disabled}
      options={known.map(optionOf)}
      create={(text) => optionOf(text.trim())}
      create_words={(text) => `Add “${text}”`}
      value={value.tags}
      onChange={(tags) => change({ tags })}
    />
  )
}
