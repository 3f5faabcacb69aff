import { useState } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { useEvery } from '../../rules/every.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ListDialog } from './list-dialog.tsx'
import { ListTable } from './list-table.tsx'
import { TagsCard } from './tags-card.tsx'

/** The lists and tags of a project. */
export default function Lists({ query }: PageProps) {
  const lists = useEvery('lists/list', { include_archived: true })
  const tags = useEvery('tags/list', {})
  const stats = useRead('contacts/stats', {})
  const [adding, add] = useState(false)
  const isEditor = can('editor')
  return (
    <>
      <PageHead
        title="Lists & tags"
        lead={
          isEditor
            ? 'People join lists by themselves, and can leave them. Tags are labels that only you see.'
            : whoMay('Changing lists and tags', 'editor')
        }
        primary={
          isEditor && (
            <Button main kind="primary" icon="plus" onClick={() => add(true)}>
              New list
            </Button>
          )
        }
      />
      <div class="stack stack-loose">
        <ListTable lists={lists} counts={stats.data?.by_list} query={query} onAdd={() => add(true)} />
        <TagsCard tags={tags} />
      </div>
      {adding && <ListDialog list={null} onClose={() => add(false)} />}
    </>
  )
}
