import { useSignal } from '@preact/signals'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select } from '../ui/field.tsx'
import { dateTime } from '../ui/format.ts'
import { Compare } from './compare.tsx'
import { useEditor } from './context.ts'
import { authorOf } from './head.tsx'
import { versions } from './kept.ts'
import type { Session } from './session.ts'
import type { Stored } from './source.ts'

/** Earlier versions that this browser stored, each compared with the current letter. */
export function VersionsDialog({ letter }: { letter: string }) {
  const editor = useEditor()
  const chosen = useSignal('0')
  const kept = versions(letter)
  const version = kept[Number(chosen.value)]
  const close = () => (editor.panel.value = null)
  return (
    <Dialog
      title="Earlier versions"
      onClose={close}
      wide
      actions={
        version && (
          <Button
            kind="primary"
            onClick={() => {
              editor.replace(version.content)
              close()
            }}
          >
            Go back to this version
          </Button>
        )
      }
    >
      {version ? (
        <div class="stack">
          <Select
            label="Version"
            value={chosen.value}
            hint="Kept in this browser. Going back can be undone."
            options={kept.map(({ at }, index) => ({
              value: String(index),
              label: dateTime(new Date(at).toISOString()),
            }))}
            onInput={(value) => (chosen.value = value)}
          />
          <h3>What has changed since</h3>
          <Compare before={version.content} after={editor.content.value} />
        </div>
      ) : (
        <p>
          This browser keeps a version of what is saved every ten minutes, the last twenty of them. There is none yet.
        </p>
      )}
    </Dialog>
  )
}

/** The version that another user saved, beside the one on the screen. */
export function ConflictDialog({ theirs, session, onClose }: { theirs: Stored; session: Session; onClose(): void }) {
  const editor = useEditor()
  const mine = editor.content.value
  /** The version that both were made from, unless an earlier session lost it. */
  const base = session.saved.value
  const merged = session.both(theirs)
  const isKnown = base.updated_at !== theirs.updated_at
  const choose = (act: (theirs: Stored) => void) => () => {
    onClose()
    act(theirs)
  }
  return (
    <Dialog
      title="What changed"
      onClose={onClose}
      wide
      actions={
        <>
          {merged && (
            <Button kind="primary" onClick={choose(() => session.keepBoth(theirs, merged))}>
              Keep both
            </Button>
          )}
          <Button onClick={choose(session.keepMine)}>Keep mine</Button>
          <Button onClick={choose(session.takeTheirs)}>Take theirs</Button>
        </>
      }
    >
      <p class="compare-lead">
        {merged
          ? 'Different parts changed, so both can stay.'
          : isKnown
            ? 'The same part was changed twice, so one of the two has to be chosen.'
            : 'The version that both were made from is not known any more, so one of the two has to be chosen.'}{' '}
        What you do not take stays among the earlier versions.
      </p>
      {!isKnown ? (
        <>
          <h3>From theirs to yours</h3>
          <Compare before={theirs.content} after={mine} />
        </>
      ) : (
        <>
          <h3>{authorOf(theirs)} changed</h3>
          <Compare before={base.content} after={theirs.content} />
          <h3>You changed</h3>
          <Compare before={base.content} after={mine} />
        </>
      )}
    </Dialog>
  )
}
