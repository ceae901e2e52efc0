"""What happens in whole matches, measured: figures that the documentation states."""
