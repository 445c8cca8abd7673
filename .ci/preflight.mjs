// Runs before `npm start` and `npm test`, on whatever Node there is: plain JavaScript that Node 20 understands.
// npm puts the Node of the dev dependency first in the path; when its install script did not run, the machine's own Node is what runs this.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This is Node ${process.versions.node}, which does not run TypeScript. The Node that npm should have installed is missing: its install script did not run.\n` +
      "Mend: npm install-scripts approve node && npm rebuild node   (or use Node 22.18 or later)",
  );
  process.exit(1);
}
