import { buttonColors } from '../../../src/shared/letter-colors.ts'
import { ownPicture } from '../api/own-picture.ts'
import { Icon } from '../ui/icon.tsx'
import { pasteActs, placeBlock, putInPlace, setProps, spotAfter } from './acts.ts'
import { blockIcon } from './block-choices.ts'
import { useEditor } from './context.ts'
import { type Block, newBlockId } from './document.ts'
import { groundOf } from './ground.ts'
import { LiveText, StaticLine, StaticText } from './live-text.tsx'
import { blocksOf } from './table.ts'
import { TableBody } from './table-body.tsx'
import { isEmptyText, leaveKeys, removeEmpty } from './text-keys.ts'
import { firstWords, typeName } from './block-names.ts'

/** A block in the editor: its text, or a plain stand-in. The preview shows it as recipients see it. */
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
        <div
          class={`letter-heading letter-heading-${Number(props['level'])}`}
          dir={/^(?:ltr|rtl)$/.test(text('dir')) ? (text('dir') as 'ltr' | 'rtl') : undefined}
          {...align}
        >
          <HeadingText block={block} isWriting={isWriting} />
        </div>
      )
    case 'button':
      return <ButtonBody block={block} />
    case 'image':
      return (
        <div class="stand-in" {...align}>
          <Picture src={text('src')} />
          <span>{text('alt') || 'A picture for decoration'}</span>
        </div>
      )
    case 'table':
      return <TableBody block={block} isWriting={isWriting} />
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

/** A button in its colors, on the band or the column that it stands on where that is not white. */
function ButtonBody({ block }: { block: Block }) {
  const editor = useEditor()
  const { text, align, background_color, text_color } = block.props as Record<string, string | undefined>
  const ground = groundOf(editor, block)
  const { background, foreground } = buttonColors({ background_color, text_color }, ground, editor.brand.value)
  const isWhite = ground.background === '#ffffff'
  return (
    <div
      class={isWhite ? undefined : 'stand-in-band'}
      style={isWhite ? undefined : `background:${ground.background}`}
      data-align={align || undefined}
    >
      <span class="stand-in-button" style={`background:${background};color:${foreground}`}>
        {text ? <StaticLine text={text} /> : 'Button'}
      </span>
    </div>
  )
}

/** A picture that this service hosts. The page's policy blocks other hosts; the preview shows their pictures. */
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
      onInput={(next, run) => setProps(editor, block.id, { html: next }, run)}
      {...pasteActs(editor, block.id)}
      onTables={(pieces) => {
        const blocks = blocksOf(block, pieces)
        putInPlace(
          editor,
          block.id,
          blocks,
          blocks.findLast(({ type }) => type === 'table')!,
        )
      }}
      keys={{
        ...leaveKeys(editor, block.id),
        Backspace: ({ doc }) => isEmptyText(doc) && removeEmpty(editor, block.id),
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
      onInput={(next, run) => setProps(editor, block.id, { text: next }, run)}
      {...pasteActs(editor, block.id)}
      keys={{
        ...leaveKeys(editor, block.id),
        Enter: () => {
          const spot = spotAfter(editor.content.peek().document, block.id)
          placeBlock(editor, { id: newBlockId(), type: 'text', props: { html: '' } }, spot)
          return true
        },
        Backspace: ({ doc }) => doc.content.size === 0 && removeEmpty(editor, block.id),
      }}
    />
  )
}
