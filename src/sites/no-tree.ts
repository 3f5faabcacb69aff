import { html as HTML, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'

/** An element as far as the parser asks for it again: nothing is kept of what is in it. */
export interface Bough {
  tagName: string
  namespaceURI: HTML.NS
  attrs: Token.Attribute[]
}

export type BoughTypes = TreeAdapterTypeMap<Bough, Bough, Bough, Bough, Bough, Bough, Bough, Bough, Bough, Bough>

/**
 * For a parser that is only watched: it keeps its stack of open elements, and no tree. That is half the time, and what
 * grows with the square of a page in a tree (markup misplaced in a table) does not here. The quirks of old doctypes
 * decide whether a table ends a paragraph, which no insertion point depends on.
 */
export const noTree: TreeAdapter<BoughTypes> = {
  createDocument: () => bough('#document'),
  createDocumentFragment: () => bough('#document-fragment'),
  createElement: (tagName, namespaceURI, attrs) => ({ tagName, namespaceURI, attrs }),
  createCommentNode: () => bough('#comment'),
  createTextNode: () => bough('#text'),

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

  isElementNode: (node): node is Bough => !node.tagName.startsWith('#'),
  isTextNode: (node): node is Bough => node.tagName === '#text',
  isCommentNode: (node): node is Bough => node.tagName === '#comment',
  isDocumentTypeNode: (_): _ is Bough => false,

  adoptAttributes: nothing,
  appendChild: nothing,
  detachNode: nothing,
  insertBefore: nothing,
  insertText: nothing,
  insertTextBefore: nothing,
  setDocumentMode: nothing,
  setDocumentType: nothing,
  setNodeSourceCodeLocation: nothing,
  setTemplateContent: nothing,
  updateNodeSourceCodeLocation: nothing,
}

function bough(tagName: string): Bough {
  return { tagName, namespaceURI: HTML.NS.HTML, attrs: [] }
}

function nothing(): void {
  // No tree, nothing to change in it.
}
