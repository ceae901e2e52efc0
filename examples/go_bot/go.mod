module sengoku.example/bot

go 1.21
