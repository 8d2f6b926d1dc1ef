export default function Cancel() {
  return <h1>Cancel page</h1>;
}
