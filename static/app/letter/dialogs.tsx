import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { moveTo } from './acts.ts'
import { useEditor } from './context.ts'
import { columnsOf, eachBlock, findBlock, mayStand, type Spot } from './document.ts'
import type { Panel } from './editor.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { LinkField, mendAddress } from './link-field.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import type { Session } from './session.ts'
import type { Source } from './source.ts'
import { tagWords } from './tags.ts'
import { linkText, setLink } from './text-link.ts'
import { TemplateDialog } from './template-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { changeTag } from './text-view.ts'
import { ConflictDialog, VersionsDialog } from './versions-dialog.tsx'
import { blockName } from './block-names.ts'

interface DialogsProps {
  open: Panel
  source: Source
  session: Session
}

/** The dialog that is open over the editor. */
export function EditorDialogs({ open, source, session }: DialogsProps) {
  const editor = useEditor()
  const trouble = session.trouble.value
  switch (open.kind) {
    case 'picture':
      return <PictureDialog key={open.files?.length} panel={open} />
    case 'tag':
      return <TagDialog panel={open} />
    case 'link':
      return <LinkDialog href={open.href} />
    case 'move':
      return <MoveDialog id={open.id} />
    case 'versions':
      return <VersionsDialog letter={source.key} />
    case 'template':
      return <TemplateDialog content={session.complete.value} />
    case 'test':
      return <TestDialog campaign={source.id} session={session} />
    case 'keys':
      return <KeysDialog />
    case 'conflict':
      if (trouble?.kind !== 'conflict') return null
      return <ConflictDialog theirs={trouble.theirs} session={session} onClose={() => (editor.panel.value = null)} />
  }
}

/** The fallback of a merge tag, for contacts without a value. */
function TagDialog({ panel }: { panel: Extract<Panel, { kind: 'tag' }> }) {
  const editor = useEditor()
  const fallback = useSignal(panel.tag.fallback)
  const close = () => (editor.panel.value = null)
  const change = (tag: typeof panel.tag | null) => {
    close()
    const live = editor.live.peek()
    if (live) changeTag(live.view, panel.at, tag)
  }
  return (
    <Dialog
      title={`Merge tag: ${tagWords(panel.tag.name)}`}
      onClose={close}
      actions={
        <>
          <Button kind="primary" type="submit" form="tag">
            Use it
          </Button>
          <Button onClick={() => change(null)}>Take the tag away</Button>
        </>
      }
    >
      <form
        id="tag"
        onSubmit={(event) => {
          event.preventDefault()
          change({ ...panel.tag, fallback: fallback.peek().trim() })
        }}
      >
        <TextField
          label="For people without it"
          hint="What they read in its place, such as “reader”."
          value={fallback.value}
          maxlength={200}
          onInput={(value) => (fallback.value = value)}
        />
      </form>
    </Dialog>
  )
}

function LinkDialog({ href: first }: { href: string }) {
  const editor = useEditor()
  const href = useSignal(first)
  const before = useMemo(() => {
    const live = editor.live.peek()
    return live === null ? null : linkText(live.view.state)
  }, [])
  const text = useSignal(before)
  const close = () => {
    editor.panel.value = null
    editor.live.peek()?.view.focus()
  }
  const set = (address: string) => {
    const live = editor.live.peek()
    close()
    if (live) setLink(address, text.peek()?.trim())(live.view.state, live.view.dispatch)
  }
  return (
    <Dialog
      title="Link"
      onClose={close}
      actions={
        <>
          <Button kind="primary" type="submit" form="link">
            Link it
          </Button>
          {first !== '' && <Button onClick={() => set('')}>Take the link away</Button>}
        </>
      }
    >
      <form
        id="link"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          set(mendAddress(href.peek()))
        }}
      >
        {before !== null && (
          <TextField
            label="Text"
            hint="What people read and press. Without it, the address is shown."
            value={text.value!}
            maxlength={500}
            onInput={(value) => (text.value = value)}
          />
        )}
        <LinkField label="Where it leads" value={href.value} onInput={(value) => (href.value = value)} />
      </form>
    </Dialog>
  )
}

/** Every position that a block can be moved to, described in words. */
function MoveDialog({ id }: { id: string }) {
  const editor = useEditor()
  const { document } = editor.content.value
  const found = findBlock(document, id)
  const chosen = useSignal('0')
  const close = () => {
    editor.panel.value = null
    editor.focusing.value++
  }
  if (!found) return null
  const spots = spotsFor(document, found.block.id, found.block.type)
  return (
    <Dialog
      title={`Move “${blockName(found.block)}”`}
      onClose={close}
      actions={
        <Button kind="primary" type="submit" form="move">
          Move
        </Button>
      }
    >
      <form
        id="move"
        onSubmit={(event) => {
          event.preventDefault()
          editor.panel.value = null
          moveTo(editor, id, spots[Number(chosen.peek())]!.spot)
        }}
      >
        <Select
          label="To"
          value={chosen.value}
          options={spots.map(({ words }, at) => ({ value: String(at), label: words }))}
          onInput={(value) => (chosen.value = value)}
        />
      </form>
    </Dialog>
  )
}

function spotsFor(
  document: Parameters<typeof eachBlock>[0],
  id: string,
  type: string,
): { spot: Spot; words: string }[] {
  const places: { spot: Spot; words: string }[] = [
    { spot: { within: null, at: 0 }, words: 'The beginning of the letter' },
  ]
  for (const { block, spot } of eachBlock(document)) {
    if (block.id === id) continue
    if (mayStand(type, spot.within))
      places.push({
        spot: { ...spot, at: spot.at + 1 },
        words: `${spot.within ? '— ' : ''}After “${blockName(block)}”`,
      })
    if (!mayStand(type, { block: block.id, column: 0 })) continue
    columnsOf(block).forEach((_, column) =>
      places.push({
        spot: { within: { block: block.id, column }, at: 0 },
        words: `— The beginning of column ${column + 1}`,
      }),
    )
  }
  return places
}
