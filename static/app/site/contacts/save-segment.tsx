import { useState } from 'preact/hooks'
import { can } from '../../api/role.ts'
import { later } from '../../later.tsx'
import type { LiveCount } from '../../rules/live-count.ts'
import { Button } from '../../ui/button.tsx'
import type { SaveDialogProps } from './save-dialog.tsx'

const SaveDialog = later<SaveDialogProps>(async () => (await import('./save-dialog.tsx')).SaveDialog)

/** Saves the rules of a filter as a segment. */
export function SaveSegment({ live }: { live: LiveCount }) {
  const [isOpen, open] = useState(false)
  if (!can('editor') || live.rules.rules.length === 0) return null
  return (
    <>
      <Button disabled_reason={live.unfinished > 0 && 'Finish the marked rule first.'} onClick={() => open(true)}>
        Save as segment
      </Button>
      {isOpen && <SaveDialog live={live} onClose={() => open(false)} />}
    </>
  )
}
