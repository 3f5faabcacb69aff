import { useState } from 'preact/hooks'
import type { Contact } from '../../api/operations.d.ts'
import { useAudience } from '../../rules/audience.ts'
import { Button } from '../../ui/button.tsx'
import { count as counted } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { SelectionBar } from '../../ui/table-parts.tsx'
import { later } from '../../later.tsx'
import type { BulkDialogProps } from './bulk-dialog.tsx'
import type { BulkAction } from './bulk-kinds.ts'
import { useMedia } from '../people/page-state.ts'
import { useExport } from './export.ts'
import type { RunningJob } from './job-line.tsx'
import { isEverybody, type Target } from './target.ts'

const BulkDialog = later<BulkDialogProps>(async () => (await import('./bulk-dialog.tsx')).BulkDialog)

interface BulkBarProps {
  picked: readonly Contact[]
  /** Whether all contacts of the page are selected and there are further ones. */
  is_page: boolean
  /** All contacts that match, with their number where known. */
  matching: Target & { kind: 'matching' }
  total: number | null
  /** Selects the whole page; absent when it is selected. */
  onPage?: () => void
  onClear: () => void
  onStarted: (job: RunningJob) => void
}

/** The actions on the selected contacts. */
export function BulkBar({ picked, is_page, matching, total, onPage, onClear, onStarted }: BulkBarProps) {
  const [isAll, all] = useState(false)
  const [action, choose] = useState<BulkAction | null>(null)
  const { audience } = useAudience()
  const isNarrow = useMedia('(width < 900px)')
  const target: Target = isAll && is_page ? matching : { kind: 'picked', contacts: picked }
  const people = target.kind === 'picked' ? picked.length : (total ?? 0)
  const download = useExport()
  const clear = () => {
    all(false)
    onClear()
  }
  return (
    <>
      <SelectionBar
        count={people}
        total_note={
          is_page && total !== null && total > picked.length ? (
            isAll ? (
              <span>{isEverybody(matching) ? 'That is everybody.' : 'Those are all that match.'}</span>
            ) : (
              <>
                <span>on this page.</span>
                <Button small onClick={() => all(true)}>
                  {`Select all ${counted(total, 'that matches', 'that match')}`}
                </Button>
              </>
            )
          ) : (
            // Cards have no table head with a checkbox for all rows.
            isNarrow &&
            onPage && (
              <Button small onClick={onPage}>
                Select the page
              </Button>
            )
          )
        }
        onClear={clear}
      >
        <Button small onClick={() => choose('add_to_list')}>
          Add to list…
        </Button>
        <Button small onClick={() => choose('add_tags')}>
          Tag…
        </Button>
        <Button small onClick={() => choose('unsubscribe')}>
          Unsubscribe…
        </Button>
        <Button small busy={download.busy} onClick={() => void download.run(target)}>
          Export
        </Button>
        <Menu
          icon="more"
          label="More to do with the selection"
          items={[
            { label: 'Remove from list…', onSelect: () => choose('remove_from_list') },
            { label: 'Remove tags…', onSelect: () => choose('remove_tags') },
          ]}
        />
        <Button small kind="danger" onClick={() => choose('delete')}>
          {isEverybody(target) ? 'Delete everybody…' : 'Delete…'}
        </Button>
      </SelectionBar>
      {action && audience && (
        <BulkDialog
          action={action}
          target={target}
          seen={people}
          audience={audience}
          onClose={() => choose(null)}
          onStarted={(job, label) => {
            onStarted({ id: job.id, label })
            clear()
          }}
        />
      )}
    </>
  )
}
