/** What is loaded when a flow is edited, and not before. */
export { LanguagesEditor } from '../languages/languages-editor';
export { FlowEditor } from './flow-editor';
export { NewFlow } from './new-flow';
