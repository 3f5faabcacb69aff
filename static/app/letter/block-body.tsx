import { ownPicture } from '../api/own-picture.ts'
import { Icon } from '../ui/icon.tsx'
import { deleteBlock, placeBlock, setProps, spotAfter } from './acts.ts'
import { blockIcon } from './block-choices.ts'
import { useEditor } from './context.ts'
import { type Block, blocksWithin, findBlock, newBlockId } from './document.ts'
import { type Editor, neighbor } from './editor.ts'
import { LiveText, StaticLine, StaticText } from './live-text.tsx'
import { firstWords, typeName } from './words.ts'

/** What a block shows on the writing surface: its text, or a plain stand-in. The preview shows it as it will be. */
export function BlockBody({ block, isWriting }: { block: Block; isWriting: boolean }) {
  const { props, type } = block
  const text = (name: string): string => (typeof props[name] === 'string' ? props[name] : '')
  const align = { 'data-align': text('align') || undefined }
  switch (type) {
    case 'text':
      return (
        <div {...align}>
          <RichText block={block} isWriting={isWriting} />
        </div>
      )
    case 'heading':
      return (
        <div class={`letter-heading letter-heading-${Number(props['level'])}`} {...align}>
          <HeadingText block={block} isWriting={isWriting} />
        </div>
      )
    case 'button':
      return (
        <div {...align}>
          <span class="stand-in-button" style={buttonStyle(props)}>
            {text('text') === '' ? 'Button' : <StaticLine text={text('text')} />}
          </span>
        </div>
      )
    case 'image':
      return (
        <div class="stand-in" {...align}>
          <Picture src={text('src')} />
          <span>{text('alt') || 'A picture for decoration'}</span>
        </div>
      )
    case 'divider':
      return <hr class="stand-in-line" />
    case 'spacer':
      return <p class="stand-in-space">{Number(props['height'])} px of space</p>
    default:
      return (
        <p class="stand-in">
          <Icon name={blockIcon(type)} />
          <span>
            {typeName(type)}
            {wordsOf(block) && <> · {wordsOf(block)}</>}
          </span>
        </p>
      )
  }
}

function wordsOf(block: Block): string {
  const { type, props } = block
  if (type === 'social')
    return (props['links'] as { network: string; label?: string }[])
      .map((link) => link.label ?? link.network)
      .join(', ')
  if (type === 'cms_posts') {
    const category = typeof props['category'] === 'string' ? ` of ${props['category']}` : ''
    return `the ${Number(props['count'] ?? 3)} newest posts${category} when it is sent`
  }
  if (type === 'footer') return firstWords(block) || 'sender, postal address and unsubscribe link'
  return firstWords(block)
}

function buttonStyle({ background_color, text_color }: Block['props']): string | undefined {
  const colors = [
    typeof background_color === 'string' && `background:${background_color}`,
    typeof text_color === 'string' && `color:${text_color}`,
  ]
  return colors.filter(Boolean).join(';') || undefined
}

/** A picture of this service. The policy of the page loads no others; the preview shows them. */
function Picture({ src }: { src: string }) {
  const own = ownPicture(src)
  return own === null ? <Icon name="image" size={20} /> : <img src={own} alt="" />
}

function RichText({ block, isWriting }: { block: Block; isWriting: boolean }) {
  const editor = useEditor()
  const html = typeof block.props['html'] === 'string' ? block.props['html'] : ''
  const placeholder = 'Write, or type / for a picture, a button, a line…'
  if (!isWriting) return html === '' ? <p class="letter-placeholder">{placeholder}</p> : <StaticText html={html} />
  return (
    <LiveText
      kind="rich"
      value={html}
      label="Text"
      placeholder={placeholder}
      caret={editor.writing.value}
      onInput={(next) => setProps(editor, block.id, { html: next })}
      onFiles={([file]) =>
        (editor.panel.value = { kind: 'picture', file, spot: spotAfter(editor.content.peek().document, block.id) })
      }
      keys={{
        ...leaveKeys(editor, block.id),
        Backspace: (state) => {
          const { doc, selection } = state
          if (!selection.empty || doc.childCount !== 1 || doc.firstChild!.type.name !== 'paragraph') return false
          if (doc.firstChild!.content.size > 0) return false
          return removeEmpty(editor, block.id)
        },
      }}
    />
  )
}

function HeadingText({ block, isWriting }: { block: Block; isWriting: boolean }) {
  const editor = useEditor()
  const text = typeof block.props['text'] === 'string' ? block.props['text'] : ''
  if (!isWriting) return text === '' ? <p class="letter-placeholder">Heading</p> : <StaticLine text={text} />
  return (
    <LiveText
      kind="line"
      value={text}
      label="Heading"
      placeholder="Heading"
      caret={editor.writing.value}
      onInput={(next) => setProps(editor, block.id, { text: next })}
      keys={{
        ...leaveKeys(editor, block.id),
        Enter: () => {
          const spot = spotAfter(editor.content.peek().document, block.id)
          placeBlock(editor, { id: newBlockId(), type: 'text', props: { html: '' } }, spot)
          return true
        },
        Backspace: (state) => (state.doc.content.size === 0 ? removeEmpty(editor, block.id) : false),
      }}
    />
  )
}

/** Keys that lead out of a text: Escape to its block, arrows at its ends to the block beside it. */
function leaveKeys(editor: Editor, id: string): Parameters<typeof LiveText>[0]['keys'] {
  const go = (step: -1 | 1): boolean => {
    const to = neighbor(editor.content.peek().document, id, step)
    if (to === null) return false
    const { block } = findBlock(editor.content.peek().document, to)!
    const isText = block.type === 'text' || block.type === 'heading'
    editor.select(to, isText ? (step === 1 ? 'start' : 'end') : 'block')
    return true
  }
  return {
    Escape: () => (editor.select(id, 'block'), true),
    ArrowUp: ({ selection }, _, view) =>
      selection.empty && view!.endOfTextblock('up') && selection.$from.before(1) <= 1 && selection.$from.index(0) === 0
        ? go(-1)
        : false,
    ArrowDown: ({ selection, doc }, _, view) =>
      selection.empty && view!.endOfTextblock('down') && selection.$from.index(0) >= doc.childCount - 1 ? go(1) : false,
  }
}

/** Backspace in an empty text takes its block away, but never the last block of a list. */
function removeEmpty(editor: Editor, id: string): boolean {
  const { document } = editor.content.peek()
  const found = findBlock(document, id)!
  if (blocksWithin(document, found.spot.within).length === 1) return true
  const before = neighbor(document, id, -1)
  deleteBlock(editor, id)
  const beside = before === null ? null : findBlock(editor.content.peek().document, before)
  if (beside && (beside.block.type === 'text' || beside.block.type === 'heading')) editor.select(before, 'end')
  return true
}
