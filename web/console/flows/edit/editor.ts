/** What is loaded when a flow is edited, and not before. */
export { FlowEditor } from './flow-editor';
export { NewFlow } from './new-flow';
