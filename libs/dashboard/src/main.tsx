import { createRoot } from 'react-dom/client';
import './styles.css';

createRoot(document.getElementById('app')!).render(<h1 className="text-xl text-accent">Tenure</h1>);
