import { useMemo } from 'preact/hooks'
import { Button, IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { deleteBlock, doubleBlock, moveAside, moveBeside, putInPlace, setProps } from './acts.ts'
import type { PropSchema } from './block-types.ts'
import { useEditor } from './context.ts'
import { DesignPanel } from './design.tsx'
import { showDesign } from './design-open.ts'
import { type Block, findBlock, spotAside, spotBeside } from './document.ts'
import { readHtml } from './read-html.ts'
import { PropField } from './prop-field.tsx'
import { blocksOf } from './table.ts'
import { piecesOf } from './table-pieces.ts'
import { Toolbar } from './toolbar.tsx'
import { blockName, typeName } from './block-names.ts'

/** The fields of the selected block, from the schema of its type; without one, the design of the letter. */
export function Inspector({ brandColor }: { brandColor: string | null }) {
  const editor = useEditor()
  const id = editor.selected.value
  const found = id === null ? null : findBlock(editor.content.value.document, id)
  if (!found) return <DesignPanel brandColor={brandColor} />
  const { block } = found
  const flaws = editor.fresh.value === block.id ? [] : editor.flaws.value.filter((flaw) => flaw.id === block.id)
  return (
    <section
      class="letter-inspector"
      aria-label={typeName(block.type)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        editor.select(block.id, 'block')
      }}
    >
      <BlockHead block={block} />
      <Toolbar />
      {block.type === 'text' && <TableOffer block={block} />}
      <div class="letter-fields">
        {fieldsOf(block, editor.types.find(({ type }) => type === block.type)?.props).map(
          ({ name, schema, required }) => (
            <div class="letter-field-place" key={`${block.id} ${name}`} data-field={name}>
              <PropField
                block={block}
                name={name}
                schema={schema}
                required={required}
                brandColor={brandColor}
                flaw={flaws.find(({ prop }) => prop === name)?.message ?? null}
                onChange={(value) => setProps(editor, block.id, { [name]: value })}
              />
            </div>
          ),
        )}
      </div>
    </section>
  )
}

/** Texts that are edited in the letter itself have no field, nor has what the field of another property sets. */
const IN_PLACE: Readonly<Record<string, string>> = { text: 'html', heading: 'text', table: 'column_align' }

function fieldsOf(block: Block, schema: PropSchema | undefined) {
  const { properties = {}, required = [] } = schema ?? {}
  return Object.entries(properties)
    .filter(([name]) => IN_PLACE[block.type] !== name)
    .map(([name, rule]) => ({ name, schema: rule, required: required.includes(name) }))
}

/** Makes blocks of the tables that an older text holds, so that they can be changed. */
function TableOffer({ block }: { block: Block }) {
  const editor = useEditor()
  const html = String(block.props['html'])
  const pieces = useMemo(() => (/<table/i.test(html) ? piecesOf(readHtml(html)) : null), [html])
  if (pieces === null) return null
  return (
    <Button
      small
      icon="table"
      onClick={() => {
        const blocks = blocksOf(block, pieces)
        putInPlace(
          editor,
          block.id,
          blocks,
          blocks.find(({ type }) => type === 'table')!,
        )
      }}
    >
      Make the table a block, to change it
    </Button>
  )
}

function BlockHead({ block }: { block: Block }) {
  const editor = useEditor()
  const { id } = block
  const { document } = editor.content.value
  const isFirst = spotBeside(document, id, -1) === null
  const isLast = spotBeside(document, id, 1) === null
  const isInColumn = findBlock(document, id)!.spot.within !== null
  return (
    <header class="letter-inspector-head">
      <h2>{typeName(block.type)}</h2>
      {block.type === 'html' && <span class="quiet small">Imported markup</span>}
      <IconButton small icon="arrow-up" label="Move up" disabled={isFirst} onClick={() => moveBeside(editor, id, -1)} />
      <IconButton
        small
        icon="arrow-down"
        label="Move down"
        disabled={isLast}
        onClick={() => moveBeside(editor, id, 1)}
      />
      <IconButton small icon="copy" label="Double" onClick={() => doubleBlock(editor, id)} />
      <IconButton small icon="trash" label="Delete" onClick={() => deleteBlock(editor, id)} />
      <Menu
        label={`More for ${blockName(block)}`}
        icon="more"
        small
        items={[
          { label: 'Move to…', onSelect: () => (editor.panel.value = { kind: 'move', id }) },
          isInColumn && {
            label: 'Move out, or to the next column',
            hint: 'Alt →',
            onSelect: () => moveAside(editor, id, 1),
          },
          !isInColumn &&
            spotAside(document, id, 1) !== null && {
              label: 'Move into the columns',
              hint: 'Alt →',
              onSelect: () => moveAside(editor, id, 1),
            },
          { label: 'Design of the letter', onSelect: () => showDesign(editor) },
        ]}
      />
    </header>
  )
}
