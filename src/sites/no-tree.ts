import { html as HTML, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'

/** A node with only the properties that the parser reads back; it stores no children. */
export interface ParserNode {
  tagName: string
  namespaceURI: HTML.NS
  attrs: Token.Attribute[]
}

export type ParserTypes = TreeAdapterTypeMap<
  ParserNode,
  ParserNode,
  ParserNode,
  ParserNode,
  ParserNode,
  ParserNode,
  ParserNode,
  ParserNode,
  ParserNode,
  ParserNode
>

/**
 * A tree adapter that builds no tree: the parser keeps only its stack of open elements. Parsing takes half the time,
 * and markup misplaced in a table, which takes quadratic time in a tree, stays linear. Quirks mode is ignored: it
 * decides only whether a table closes a paragraph, and no insertion point depends on that.
 */
export const noTree: TreeAdapter<ParserTypes> = {
  createDocument: () => parserNode('#document'),
  createDocumentFragment: () => parserNode('#document-fragment'),
  createElement: (tagName, namespaceURI, attrs) => ({ tagName, namespaceURI, attrs }),
  createCommentNode: () => parserNode('#comment'),
  createTextNode: () => parserNode('#text'),

  getTagName: ({ tagName }) => tagName,
  getNamespaceURI: ({ namespaceURI }) => namespaceURI,
  getAttrList: ({ attrs }) => attrs,
  getDocumentMode: () => HTML.DOCUMENT_MODE.NO_QUIRKS,
  getTemplateContent: (template) => template,
  getChildNodes: () => [],
  getFirstChild: () => null,
  getParentNode: () => null,
  getNodeSourceCodeLocation: () => null,
  getCommentNodeContent: () => '',
  getTextNodeContent: () => '',
  getDocumentTypeNodeName: () => '',
  getDocumentTypeNodePublicId: () => '',
  getDocumentTypeNodeSystemId: () => '',

  isElementNode: (node): node is ParserNode => !node.tagName.startsWith('#'),
  isTextNode: (node): node is ParserNode => node.tagName === '#text',
  isCommentNode: (node): node is ParserNode => node.tagName === '#comment',
  isDocumentTypeNode: (_): _ is ParserNode => false,

  adoptAttributes: ignore,
  appendChild: ignore,
  detachNode: ignore,
  insertBefore: ignore,
  insertText: ignore,
  insertTextBefore: ignore,
  setDocumentMode: ignore,
  setDocumentType: ignore,
  setNodeSourceCodeLocation: ignore,
  setTemplateContent: ignore,
  updateNodeSourceCodeLocation: ignore,
}

function parserNode(tagName: string): ParserNode {
  return { tagName, namespaceURI: HTML.NS.HTML, attrs: [] }
}

function ignore(): void {
  // There is no tree to change.
}
